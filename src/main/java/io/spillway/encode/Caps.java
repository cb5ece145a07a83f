package io.spillway.encode;

/**
 * What closes a batch early: the first of these that the next row would go over. A batch has one
 * row at least, be that over them.
 *
 * @param rows the most rows of a batch, at least 1
 * @param bytes the most bytes of its rows as they are written, with what separates them; {@code
 *     Long.MAX_VALUE} if they do not matter
 * @param weightColumn index of the column that tells what rows weigh; -1 if that does not matter
 * @param weight the largest sum of its rows' weights
 */
public record Caps(int rows, long bytes, int weightColumn, double weight) {}
