package io.spillway.delivery.body;

import io.spillway.error.SpillwayException;
import io.spillway.group.Cut;

/**
 * A batch that no body can be made of, however often it is tried; those behind it are not touched
 * by that.
 *
 * @param cut which rows it has
 * @param reason what is wrong: {@code INVALID_TEXT} with row and column, {@code MEMORY_LIMIT} for a
 *     body that is too large for the job
 */
public record BadBody(Cut cut, SpillwayException reason) implements BodyRead {}
