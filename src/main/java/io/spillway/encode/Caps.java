package io.spillway.encode;

/**
 * What closes a batch early: the first of these that the next row would go over. A batch has one
 * row at least, be that over them.
 *
 * @param rows the most rows of a batch, at least 1
 * @param size the largest size of a batch, in whatever its rows are measured in; {@code
 *     Long.MAX_VALUE} if that does not matter
 * @param besides size that a batch has besides its rows; may be negative, where something of the
 *     first one does not count
 * @param weightColumn index of the column that tells what rows weigh; -1 if that does not matter
 * @param weight the largest sum of its rows' weights
 */
public record Caps(long rows, long size, long besides, int weightColumn, double weight) {}
