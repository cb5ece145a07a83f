package io.spillway.cursor;

/** Where a client that names the last event it saw goes on. */
public sealed interface EventId {

    /**
     * After some rows.
     *
     * @param row number of the row that comes next
     */
    record Next(long row) implements EventId {}

    /** Nowhere: the client has seen the end of the stream. */
    record End() implements EventId {}
}
