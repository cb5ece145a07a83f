package io.spillway.batch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of Arrow buffers by address, little-endian as Arrow is: the one place where decoders
 * and kernels touch it. Nothing here checks bounds: callers have made sure that what they read and
 * write lies in a buffer they hold.
 */
public final class OffHeap {

    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private OffHeap() {}

    public static byte getByte(long address) {
        return ALL.get(BYTE, address);
    }

    public static int getUnsignedByte(long address) {
        return ALL.get(BYTE, address) & 0xFF;
    }

    public static short getShort(long address) {
        return ALL.get(SHORT, address);
    }

    public static int getInt(long address) {
        return ALL.get(INT, address);
    }

    public static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    public static void putByte(long address, byte value) {
        ALL.set(BYTE, address, value);
    }

    public static void putShort(long address, short value) {
        ALL.set(SHORT, address, value);
    }

    public static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    public static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    /** Copies bytes; the runs may overlap. */
    public static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    /** Copies bytes to an array. */
    public static void read(long from, byte[] to, int index, int bytes) {
        MemorySegment.copy(ALL, BYTE, from, to, index, bytes);
    }

    /** Copies bytes from an array. */
    public static void write(byte[] from, int index, long to, int bytes) {
        MemorySegment.copy(from, index, ALL, BYTE, to, bytes);
    }

    public static void zero(long address, long bytes) {
        ALL.asSlice(address, bytes).fill((byte) 0);
    }

    /** A direct buffer over memory that somebody else keeps alive. */
    public static ByteBuffer view(long address, int bytes) {
        return ALL.asSlice(address, bytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
}
