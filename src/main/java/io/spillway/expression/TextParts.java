package io.spillway.expression;

import io.spillway.batch.OffHeap;

/** Functions that give a part of a text, or its parts in another order. */
final class TextParts {

    private TextParts() {}

    static void left(TextArguments a, BytesOutput out) {
        long start = a.address(0);
        long stop = split(a, a.integer(1));
        out.append(start, (int) (stop - start));
    }

    static void right(TextArguments a, BytesOutput out) {
        long from = a.integer(1) == 0 ? a.end(0) : split(a, -(long) a.integer(1));
        out.append(from, (int) (a.end(0) - from));
    }

    /** The place so many code points from the start, or, if negative, from the end. */
    private static long split(TextArguments a, long count) {
        long start = a.address(0);
        long end = a.end(0);
        if (count > 0) {
            return Utf8.skip(start, end, count);
        }
        long at = end;
        for (long left = count; left < 0 && at > start; left++) {
            at = Utf8.previous(at, start);
        }
        return count == 0 ? start : at;
    }

    static void reverse(TextArguments a, BytesOutput out) {
        long at = a.address(0);
        long end = a.end(0);
        int length = a.length(0);
        long to = out.reserve(length) + length;
        while (at < end) {
            long next = Utf8.next(at, end);
            to -= next - at;
            OffHeap.copy(at, to, next - at);
            at = next;
        }
        out.end(length);
    }

    static void splitPart(TextArguments a, BytesOutput out) {
        long start = a.address(0);
        long end = a.end(0);
        int width = a.length(1);
        int wanted = a.integer(2);
        if (width == 0) {
            boolean whole = wanted == 1 || wanted == -1;
            out.append(start, whole ? (int) (end - start) : 0);
            return;
        }
        long number = wanted < 0 ? 1L + separators(a, start, end) + wanted + 1 : wanted;
        if (number < 1) {
            out.end(0);
            return;
        }
        long at = start;
        for (long part = 1; part < number; part++) {
            long found = Utf8.find(at, end, a.address(1), width);
            if (found < 0) {
                out.end(0);
                return;
            }
            at = found + width;
        }
        long stop = Utf8.find(at, end, a.address(1), width);
        out.append(at, (int) ((stop < 0 ? end : stop) - at));
    }

    private static int separators(TextArguments a, long start, long end) {
        int count = 0;
        long at = Utf8.find(start, end, a.address(1), a.length(1));
        while (at >= 0) {
            count++;
            at = Utf8.find(at + a.length(1), end, a.address(1), a.length(1));
        }
        return count;
    }
}
