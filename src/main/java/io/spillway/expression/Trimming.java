package io.spillway.expression;

import io.spillway.batch.OffHeap;

/** TRIM, LTRIM and RTRIM: takes code points of a set, or spaces, off the sides of a text. */
record Trimming(boolean left, boolean right) implements TextValue.Operator {

    @Override
    public void write(TextArguments a, BytesOutput out) {
        long start = a.address(0);
        long end = a.end(0);
        boolean spaces = a.size() == 1 || isSpace(a);
        if (left) {
            start = spaces ? afterSpaces(start, end) : afterSet(start, end, a);
        }
        if (right) {
            end = spaces ? beforeSpaces(start, end) : beforeSet(start, end, a);
        }
        out.append(start, (int) (end - start));
    }

    private static boolean isSpace(TextArguments a) {
        return a.length(1) == 1 && OffHeap.getByte(a.address(1)) == ' ';
    }

    private static long afterSpaces(long start, long end) {
        long at = start;
        while (at < end && OffHeap.getByte(at) == ' ') {
            at++;
        }
        return at;
    }

    private static long beforeSpaces(long start, long end) {
        long at = end;
        while (at > start && OffHeap.getByte(at - 1) == ' ') {
            at--;
        }
        return at;
    }

    private static long afterSet(long start, long end, TextArguments a) {
        long at = start;
        while (at < end) {
            long next = Utf8.next(at, end);
            if (!contains(a, at, (int) (next - at))) {
                break;
            }
            at = next;
        }
        return at;
    }

    private static long beforeSet(long start, long end, TextArguments a) {
        long at = end;
        while (at > start) {
            long previous = Utf8.previous(at, start);
            if (!contains(a, previous, (int) (at - previous))) {
                break;
            }
            at = previous;
        }
        return at;
    }

    /** A code point starts nowhere but at its first byte: so it is found as bytes. */
    private static boolean contains(TextArguments a, long point, int bytes) {
        return Utf8.find(a.address(1), a.end(1), point, bytes) >= 0;
    }
}
