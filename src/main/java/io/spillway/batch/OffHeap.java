package io.spillway.batch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The memory of Arrow buffers by address, little-endian as Arrow is: the one place where decoders
 * and kernels touch it. Nothing here checks bounds: callers have made sure that what they read and
 * write lies in a buffer they hold.
 *
 * <p>Single values go by Arrow's own access, which the machine's byte order decides, as for all of
 * Arrow's buffers: the checks of a memory segment, though it be all of memory, cost decoders a
 * fifth of their time.
 */
public final class OffHeap {

    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private OffHeap() {}

    public static byte getByte(long address) {
        return MemoryUtil.getByte(address);
    }

    public static int getUnsignedByte(long address) {
        return MemoryUtil.getByte(address) & 0xFF;
    }

    public static short getShort(long address) {
        return MemoryUtil.getShort(address);
    }

    public static int getInt(long address) {
        return MemoryUtil.getInt(address);
    }

    public static long getLong(long address) {
        return MemoryUtil.getLong(address);
    }

    public static void putByte(long address, byte value) {
        MemoryUtil.putByte(address, value);
    }

    public static void putShort(long address, short value) {
        MemoryUtil.putShort(address, value);
    }

    public static void putInt(long address, int value) {
        MemoryUtil.putInt(address, value);
    }

    public static void putLong(long address, long value) {
        MemoryUtil.putLong(address, value);
    }

    /** Copies bytes; the runs may overlap. */
    public static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    /** Copies bytes to an array. */
    public static void read(long from, byte[] to, int index, int bytes) {
        MemorySegment.copy(ALL, BYTE, from, to, index, bytes);
    }

    /** Copies integers to an array. */
    public static void read(long from, int[] to, int index, int count) {
        MemorySegment.copy(ALL, INT, from, to, index, count);
    }

    /** Copies bytes from an array. */
    public static void write(byte[] from, int index, long to, int bytes) {
        MemorySegment.copy(from, index, ALL, BYTE, to, bytes);
    }

    public static void zero(long address, long bytes) {
        ALL.asSlice(address, bytes).fill((byte) 0);
    }

    /** Sets bytes to a value. */
    public static void fill(long address, long bytes, byte value) {
        ALL.asSlice(address, bytes).fill(value);
    }

    /** A direct buffer over memory that somebody else keeps alive. */
    public static ByteBuffer view(long address, int bytes) {
        return ALL.asSlice(address, bytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
}
