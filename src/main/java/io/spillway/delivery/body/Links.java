package io.spillway.delivery.body;

/** The links that stand for rows in the bodies of a delivery. Thread-safe; never waits. */
public interface Links {

    /** The link to a batch, always the same for the same batch. */
    String of(long firstRow, long rows);

    /** Bytes that a link has at most, in UTF-8. */
    int maxBytes();
}
