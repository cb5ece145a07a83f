package io.spillway.rows;

import org.jspecify.annotations.Nullable;

/**
 * A part of what a plan reads that can be read without the others.
 *
 * @param file URI of the input file that it is in; null if it is in none
 * @param rows how many rows go in
 * @param bytes about how many bytes of the file they take
 * @param firstRow number of the first row that comes of it; -1 if that is not known yet
 */
public record InputPart(@Nullable String file, long rows, long bytes, long firstRow) {}
