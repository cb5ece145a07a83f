package io.spillway.scan.ndjson;

import io.spillway.batch.OffHeap;

/** UTF-16 as UTF-8 in memory. */
final class Utf8Writer {

    private Utf8Writer() {}

    /**
     * Writes characters.
     *
     * @param to room for three bytes each
     * @return bytes written; -1 for half of a surrogate pair
     */
    static int write(char[] chars, int offset, int length, long to) {
        long at = to;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            char c = chars[i];
            if (c < 0x80) {
                OffHeap.putByte(at++, (byte) c);
            } else if (c < 0x800) {
                OffHeap.putByte(at, (byte) (0xC0 | (c >> 6)));
                at = continued(at + 1, c, 1);
            } else if (!Character.isSurrogate(c)) {
                OffHeap.putByte(at, (byte) (0xE0 | (c >> 12)));
                at = continued(at + 1, c, 2);
            } else {
                i++;
                if (i == end || !Character.isSurrogatePair(c, chars[i])) {
                    return -1;
                }
                int point = Character.toCodePoint(c, chars[i]);
                OffHeap.putByte(at, (byte) (0xF0 | (point >> 18)));
                at = continued(at + 1, point, 3);
            }
        }
        return (int) (at - to);
    }

    /** The lowest bits of a code point, six a byte. */
    private static long continued(long to, int point, int bytes) {
        for (int i = 0; i < bytes; i++) {
            OffHeap.putByte(to + i, (byte) (0x80 | ((point >> (6 * (bytes - 1 - i))) & 0x3F)));
        }
        return to + bytes;
    }
}
