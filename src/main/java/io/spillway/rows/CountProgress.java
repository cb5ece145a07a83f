package io.spillway.rows;

/**
 * How far counting has come.
 *
 * @param rows rows whose places are known
 * @param partitions partitions whose rows have all been counted, as far as no other is before them
 */
public record CountProgress(long rows, int partitions) {}
