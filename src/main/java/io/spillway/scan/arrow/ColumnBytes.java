package io.spillway.scan.arrow;

import java.util.List;

/** Adds up what the columns take in the bodies of record batches. */
final class ColumnBytes {

    private final long[] bytes;
    private boolean compressed;

    ColumnBytes(List<ArrowField> fields) {
        this.bytes = new long[fields.size()];
    }

    void add(BatchShape shape) {
        compressed |= shape.compression() != null;
        for (int i = 0; i < bytes.length; i++) {
            // No file is so large, but many buffers may claim the same bytes.
            bytes[i] = Math.min(Long.MAX_VALUE / 64, bytes[i] + shape.slots().get(i).bytes());
        }
    }

    long[] bytes() {
        return bytes;
    }

    boolean isCompressed() {
        return compressed;
    }
}
