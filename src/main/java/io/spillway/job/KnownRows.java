package io.spillway.job;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a job's rows by now.
 *
 * @param atLeast number of rows, from the first one on, that there are for sure and can be found
 * @param total number of all rows, if that is known
 */
public record KnownRows(long atLeast, @Nullable Long total) {}
