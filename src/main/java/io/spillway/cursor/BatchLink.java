package io.spillway.cursor;

/**
 * A batch of a delivery, as a link names it.
 *
 * @param delivery the delivery's public identifier
 * @param firstRow number of the batch's first row
 * @param rows how many it has
 */
public record BatchLink(String delivery, long firstRow, long rows) {}
