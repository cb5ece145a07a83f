package io.spillway.expression;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Raw access to the memory of Arrow buffers, by address: the one place where kernels touch memory.
 * Nothing here checks bounds; callers stay within {@code rows} of a vector. Little-endian, as Arrow
 * is.
 */
final class Memory {

    private Memory() {}

    static byte getByte(long address) {
        return MemoryUtil.getByte(address);
    }

    static short getShort(long address) {
        return MemoryUtil.getShort(address);
    }

    static int getInt(long address) {
        return MemoryUtil.getInt(address);
    }

    static long getLong(long address) {
        return MemoryUtil.getLong(address);
    }

    static void putByte(long address, byte value) {
        MemoryUtil.putByte(address, value);
    }

    static void putShort(long address, short value) {
        MemoryUtil.putShort(address, value);
    }

    static void putInt(long address, int value) {
        MemoryUtil.putInt(address, value);
    }

    static void putLong(long address, long value) {
        MemoryUtil.putLong(address, value);
    }

    static void copy(long from, long to, long bytes) {
        MemoryUtil.copyMemory(from, to, bytes);
    }

    static void read(long from, byte[] to, int index, int bytes) {
        MemoryUtil.copyFromMemory(from, to, index, bytes);
    }

    static void write(byte[] from, int index, long to, int bytes) {
        MemoryUtil.copyToMemory(from, index, to, bytes);
    }

    static void zero(long address, long bytes) {
        MemoryUtil.setMemory(address, bytes, (byte) 0);
    }

    /** Whether two runs of bytes are the same. */
    static boolean equal(long left, long right, int bytes) {
        int i = 0;
        for (; i + Long.BYTES <= bytes; i += Long.BYTES) {
            if (getLong(left + i) != getLong(right + i)) {
                return false;
            }
        }
        for (; i < bytes; i++) {
            if (getByte(left + i) != getByte(right + i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a run of bytes is the same as an array. */
    static boolean equal(long left, byte[] right) {
        int i = 0;
        for (; i + Long.BYTES <= right.length; i += Long.BYTES) {
            if (getLong(left + i) != MemoryUtil.getLong(right, i)) {
                return false;
            }
        }
        for (; i < right.length; i++) {
            if (getByte(left + i) != right[i]) {
                return false;
            }
        }
        return true;
    }

    /** Order of two runs as unsigned bytes, a prefix before what it is a prefix of. */
    static int compare(long left, int leftBytes, long right, int rightBytes) {
        int common = Math.min(leftBytes, rightBytes);
        int i = 0;
        for (; i + Long.BYTES <= common; i += Long.BYTES) {
            long a = getLong(left + i);
            long b = getLong(right + i);
            if (a != b) {
                return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
            }
        }
        for (; i < common; i++) {
            int difference = (getByte(left + i) & 0xff) - (getByte(right + i) & 0xff);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(leftBytes, rightBytes);
    }

    /** Order of a run and an array as unsigned bytes. */
    static int compare(long left, int leftBytes, byte[] right) {
        int common = Math.min(leftBytes, right.length);
        for (int i = 0; i < common; i++) {
            int difference = (getByte(left + i) & 0xff) - (right[i] & 0xff);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(leftBytes, right.length);
    }
}
