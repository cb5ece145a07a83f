package io.spillway.expression;

import io.spillway.batch.OffHeap;

/**
 * UPPER and LOWER by Unicode's simple case mapping: code point by code point, the same in every
 * locale. ASCII is mapped where it stands; bytes that are not valid UTF-8 stay as they are.
 */
record CaseMapping(boolean upper) implements TextValue.Operator {

    /** No code point of n bytes has a counterpart of more than 3n / 2 bytes. */
    private static long bound(int length) {
        return length + (length + 1L) / 2;
    }

    @Override
    public void write(TextArguments arguments, BytesOutput out) {
        long from = arguments.address(0);
        int length = arguments.length(0);
        long to = out.reserve(bound(length));
        byte low = (byte) (upper ? 'a' : 'A');
        byte high = (byte) (upper ? 'z' : 'Z');
        for (int i = 0; i < length; i++) {
            byte b = OffHeap.getByte(from + i);
            if (b < 0) {
                out.end(i + mapRest(from + i, from + length, to + i));
                return;
            }
            OffHeap.putByte(to + i, (byte) (low <= b && b <= high ? b ^ 0x20 : b));
        }
        out.end(length);
    }

    /** Maps from the first byte beyond ASCII on; gives the number of bytes written. */
    private int mapRest(long from, long end, long to) {
        long at = from;
        long target = to;
        while (at < end) {
            long next = Utf8.next(at, end);
            int codePoint = Utf8.decode(at, (int) (next - at));
            if (codePoint < 0) {
                OffHeap.copy(at, target, next - at);
                target += next - at;
            } else {
                target += encode(map(codePoint), target);
            }
            at = next;
        }
        return (int) (target - to);
    }

    private int map(int codePoint) {
        return upper ? Character.toUpperCase(codePoint) : Character.toLowerCase(codePoint);
    }

    private static int encode(int point, long to) {
        if (point < 0x80) {
            OffHeap.putByte(to, (byte) point);
            return 1;
        }
        int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
        int marker = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
        OffHeap.putByte(to, (byte) (marker | point >>> (6 * more)));
        for (int i = 1; i <= more; i++) {
            OffHeap.putByte(to + i, (byte) (0x80 | (point >>> (6 * (more - i)) & 0x3f)));
        }
        return more + 1;
    }
}
