package io.spillway.rows;

/** What a stream over rows {@code [from, to)} that has to count them finds out before it ends. */
public enum Ending {
    /** Nothing: it ends as soon as nothing of the range can follow. */
    STOP,
    /** Whether there are {@code to} rows at all. */
    COUNT,
    /** Whether a row follows the range. */
    PEEK
}
