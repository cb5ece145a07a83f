package io.spillway.rows;

/** Reads what {@link VarintWriter} has written. */
final class VarintReader {

    private final byte[] bytes;
    private int position;

    VarintReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The next number.
     *
     * @throws IllegalArgumentException if there is none
     */
    long read() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            if (position == bytes.length) {
                break;
            }
            byte next = bytes[position++];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number is cut off");
    }

    int position() {
        return position;
    }

    boolean atEnd() {
        return position == bytes.length;
    }
}
