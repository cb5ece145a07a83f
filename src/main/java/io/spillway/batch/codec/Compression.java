package io.spillway.batch.codec;

/** How buffers are compressed. */
public enum Compression {
    /** LZ4 frames: fast, for what is read back soon from a disk nearby. */
    LZ4,

    /** Zstandard at its fastest level: a third smaller, for what is kept or travels. */
    ZSTD
}
