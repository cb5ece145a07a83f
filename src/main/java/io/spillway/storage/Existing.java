package io.spillway.storage;

/** What becomes of a file that is there already when another one is to have its name. */
public enum Existing {
    /** It is replaced. */
    REPLACE,
    /** It stays, and the other one fails with {@code TARGET_EXISTS}. */
    KEEP
}
