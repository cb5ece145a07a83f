package io.spillway.delivery;

/** The state of a delivery as clients see it. */
public enum DeliveryState {
    /** Batches are sent, or wait for their next attempt. */
    RUNNING,
    /** Its owner wants it to rest. */
    PAUSED,
    /** All batches are delivered. */
    COMPLETED,
    /** All batches are delivered or dead letters. */
    COMPLETED_WITH_FAILURES,
    /** It cannot go on: its target is gone, or its rows are not to be had. */
    FAILED,
    /** Its owner wants it no more. */
    CANCELED,
    /** Nothing was delivered for so long that it rests until its owner lets it go on. */
    DISABLED;

    /** Whether nothing more happens unless dead letters are replayed. */
    public boolean isEnd() {
        return switch (this) {
            case RUNNING, PAUSED, DISABLED -> false;
            case COMPLETED, COMPLETED_WITH_FAILURES, FAILED, CANCELED -> true;
        };
    }
}
