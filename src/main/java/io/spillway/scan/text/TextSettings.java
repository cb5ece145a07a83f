package io.spillway.scan.text;

import io.spillway.scan.bytes.Buffers;

/**
 * Sizes that readers of text go by, in bytes.
 *
 * @param partition of one partition, more or less: what a reader at any row looks through at most
 *     before it has that row
 * @param window of one read while rows are read
 * @param record of one record at most
 */
public record TextSettings(int partition, int window, int record) {

    /**
     * Bytes behind a partition that are read with it, since its last record ends there. Together
     * with padding they fill what Arrow allocates.
     */
    static final int OVERLAP = 64 << 10;

    /** What a service uses. */
    public static final TextSettings DEFAULT =
            new TextSettings((4 << 20) - OVERLAP - Buffers.PADDING, (1 << 20) - OVERLAP, 16 << 20);
}
