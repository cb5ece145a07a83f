package io.spillway.export;

/** The state of an export as clients see it. */
public enum ExportState {
    /** Waits for others to end. */
    QUEUED,
    /** Rows are being written; nothing is to be seen of them yet. */
    RUNNING,
    /** All rows are where they were to be. */
    COMPLETED,
    /** It failed, and left nothing behind. */
    FAILED,
    /** Its owner wants it no more. */
    CANCELED;

    /** Whether nothing more happens. */
    public boolean isEnd() {
        return switch (this) {
            case QUEUED, RUNNING -> false;
            case COMPLETED, FAILED, CANCELED -> true;
        };
    }
}
