package io.spillway.encode;

/** Bytes of heap that an encoder's columns may take together for what they keep. */
final class TextBudget {

    private long left;

    TextBudget(long bytes) {
        left = bytes;
    }

    /** Takes bytes, or nothing and answers false. */
    boolean take(long bytes) {
        if (bytes > left) {
            return false;
        }
        left -= bytes;
        return true;
    }

    void giveBack(long bytes) {
        left += bytes;
    }
}
