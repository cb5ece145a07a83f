package io.spillway.operator.join;

/**
 * How large batches are made.
 *
 * @param rows at most
 * @param bytes at most, unless one row has more
 */
record BatchLimit(int rows, long bytes) {}
