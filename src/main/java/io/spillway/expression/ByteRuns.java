package io.spillway.expression;

import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.util.MemoryUtil;

/** Equality and order of runs of bytes in memory. */
final class ByteRuns {

    private ByteRuns() {}

    /** Whether two runs of bytes are the same. */
    static boolean equal(long left, long right, int bytes) {
        int i = 0;
        for (; i + Long.BYTES <= bytes; i += Long.BYTES) {
            if (OffHeap.getLong(left + i) != OffHeap.getLong(right + i)) {
                return false;
            }
        }
        for (; i < bytes; i++) {
            if (OffHeap.getByte(left + i) != OffHeap.getByte(right + i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a run of bytes is the same as an array. */
    static boolean equal(long left, byte[] right) {
        int i = 0;
        for (; i + Long.BYTES <= right.length; i += Long.BYTES) {
            if (OffHeap.getLong(left + i) != MemoryUtil.getLong(right, i)) {
                return false;
            }
        }
        for (; i < right.length; i++) {
            if (OffHeap.getByte(left + i) != right[i]) {
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
            long a = OffHeap.getLong(left + i);
            long b = OffHeap.getLong(right + i);
            if (a != b) {
                return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
            }
        }
        for (; i < common; i++) {
            int difference = OffHeap.getUnsignedByte(left + i) - OffHeap.getUnsignedByte(right + i);
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
            int difference = OffHeap.getUnsignedByte(left + i) - (right[i] & 0xff);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(leftBytes, right.length);
    }
}
