package io.spillway.delivery;

/** Ids of batches: what a batch is made of decides its id, so it is the same on every attempt. */
public final class BatchIds {

    private BatchIds() {}

    /** The id of a delivery's batch. */
    public static String of(String delivery, long firstRow, long rows) {
        return delivery + "." + firstRow + "." + rows;
    }
}
