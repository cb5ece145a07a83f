package io.spillway.delivery;

/**
 * A Parquet file of captured values beside the columns of their rows.
 *
 * @param uri where it is
 * @param rows in it
 * @param bytes that it has
 */
public record CapturedFile(String uri, long rows, long bytes) {}
