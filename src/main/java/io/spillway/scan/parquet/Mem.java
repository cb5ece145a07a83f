package io.spillway.scan.parquet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory by address, little-endian, without bounds: the one place where the decoder touches it.
 * Callers have checked that what they read and write lies in a buffer they hold; page buffers carry
 * {@link #PADDING} readable bytes behind their end, so that words may be read across it.
 */
final class Mem {

    /** Bytes behind the end of a page that can be read, whatever they hold. */
    static final int PADDING = 16;

    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private Mem() {}

    static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    static int getInt(long address) {
        return ALL.get(INT, address);
    }

    /** Unsigned. */
    static int getByte(long address) {
        return ALL.get(BYTE, address) & 0xFF;
    }

    static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    static void putShort(long address, short value) {
        ALL.set(SHORT, address, value);
    }

    static void putByte(long address, byte value) {
        ALL.set(BYTE, address, value);
    }

    static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    static void fill(long address, long bytes, int value) {
        ALL.asSlice(address, bytes).fill((byte) value);
    }

    /** A direct buffer over memory that somebody else keeps alive. */
    static ByteBuffer view(long address, int bytes) {
        return ALL.asSlice(address, bytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
}
