package io.spillway.scan.csv;

import io.spillway.batch.OffHeap;

/** The bytes of a field, without what escapes quotes in it. */
final class FieldBytes {

    private FieldBytes() {}

    /** As an array. */
    static byte[] copy(long from, int length, boolean escaped, byte escape) {
        byte[] bytes = new byte[length];
        OffHeap.read(from, bytes, 0, length);
        if (!escaped) {
            return bytes;
        }
        int to = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == escape && i + 1 < length) {
                i++;
            }
            bytes[to++] = bytes[i];
        }
        byte[] plain = new byte[to];
        System.arraycopy(bytes, 0, plain, 0, to);
        return plain;
    }

    /** To memory; returns how many there are. */
    static int copy(long from, int length, byte escape, long into) {
        long to = into;
        for (int i = 0; i < length; i++) {
            byte b = OffHeap.getByte(from + i);
            if (b == escape && i + 1 < length) {
                i++;
                b = OffHeap.getByte(from + i);
            }
            OffHeap.putByte(to++, b);
        }
        return (int) (to - into);
    }
}
