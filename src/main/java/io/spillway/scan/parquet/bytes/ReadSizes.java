package io.spillway.scan.parquet.bytes;

import io.spillway.scan.bytes.Buffers;
import io.spillway.storage.ReadProfile;

/**
 * How much of a row group is asked for at once.
 *
 * @param window bytes of one window of a column chunk, without padding
 * @param gap bytes between chunks up to which both are better read by one request
 */
public record ReadSizes(int window, int gap) {

    private static final int LEAST = 1 << 20;
    private static final int MOST = 8 << 20;

    /** What fits the least window: a window and its padding fill what Arrow allocates for them. */
    public static final ReadSizes LEAST_WINDOW = new ReadSizes(LEAST - Buffers.PADDING, 0);

    /**
     * The sizes for a reader of so many chunks side by side: the fewer they are, the further each
     * must read ahead to keep a line busy.
     */
    public static ReadSizes of(ReadProfile profile, int chunks) {
        int each = profile.aheadBytes() / Math.max(1, chunks);
        int window = Integer.highestOneBit(Math.clamp(each, LEAST, MOST));
        return new ReadSizes(window - Buffers.PADDING, profile.gapBytes());
    }
}
