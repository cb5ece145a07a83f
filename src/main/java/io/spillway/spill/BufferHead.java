package io.spillway.spill;

/**
 * The 8 bytes in front of a buffer. As Arrow has it, the buffer's length without compression, or -1
 * if there is none. Where integers are packed, the width of one is in the upper half.
 */
final class BufferHead {

    static final int BYTES = Long.BYTES;

    /** The buffer is not compressed. */
    static final long STORED = -1;

    /** In place of a width: the buffer is compressed by the block's codec. */
    static final int COMPRESSED = 0;

    private static final long LENGTH = 0xFFFF_FFFFL;

    private BufferHead() {}

    /** Before a buffer that had so many bytes before it was compressed. */
    static long compressed(long bytes) {
        return bytes;
    }

    /** Before integers that had so many bytes before they were packed. */
    static long packed(long bytes, int width) {
        return bytes | (long) width << Integer.SIZE;
    }

    /** Whether values of so many bytes can be packed. */
    static boolean canPack(int width) {
        return width == Integer.BYTES || width == Long.BYTES;
    }

    /** The width of packed integers, or {@link #COMPRESSED}; something else in damaged blocks. */
    static int width(long head) {
        return (int) (head >>> Integer.SIZE);
    }

    /** The buffer's length without compression. */
    static long bytes(long head) {
        return head & LENGTH;
    }
}
