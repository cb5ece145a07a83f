package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;

/** Functions whose result may be much longer than their arguments: it is bounded. */
final class TextGrowth {

    /** Bytes that a result may have, as long as it is longer than the text that it is made of. */
    private static final int LIMIT = 16 << 20;

    private TextGrowth() {}

    static void repeat(TextArguments a, BytesOutput out) {
        long times = Math.max(a.integer(1), 0);
        long bytes = check("REPEAT", times * a.length(0));
        if (bytes == 0) {
            out.end(0);
            return;
        }
        fill(out.reserve(bytes), bytes, a.address(0), a.length(0));
        out.end((int) bytes);
    }

    static void padLeft(TextArguments a, BytesOutput out) {
        long wanted = a.integer(1);
        long missing = cut(a, out, wanted);
        if (missing > 0) {
            pad("LPAD", a, out, missing);
            out.add(a.address(0), a.length(0));
            out.end(0);
        }
    }

    static void padRight(TextArguments a, BytesOutput out) {
        long wanted = a.integer(1);
        long missing = cut(a, out, wanted);
        if (missing > 0) {
            out.add(a.address(0), a.length(0));
            pad("RPAD", a, out, missing);
            out.end(0);
        }
    }

    /** Writes the text's start if that is all, and gives the number of code points to add. */
    private static long cut(TextArguments a, BytesOutput out, long wanted) {
        long start = a.address(0);
        long missing = wanted - Utf8.count(start, a.length(0));
        if (missing <= 0 || a.length(2) == 0) {
            long stop = Utf8.skip(start, a.end(0), Math.max(wanted, 0));
            out.append(start, (int) (stop - start));
            return 0;
        }
        return missing;
    }

    private static void pad(String name, TextArguments a, BytesOutput out, long codePoints) {
        long fill = a.address(2);
        int bytes = a.length(2);
        int points = Utf8.count(fill, bytes);
        long whole = codePoints / points * bytes;
        long rest = Utf8.skip(fill, a.end(2), codePoints % points) - fill;
        long total = check(name, whole + rest);
        fill(out.reserve(total), total, fill, bytes);
        out.advance((int) total);
    }

    /** Repeats a pattern, cut at the end; what is there already is copied, so in few steps. */
    private static void fill(long to, long bytes, long pattern, int length) {
        long done = Math.min(length, bytes);
        OffHeap.copy(pattern, to, done);
        while (done < bytes) {
            long more = Math.min(done, bytes - done);
            OffHeap.copy(to, to + done, more);
            done += more;
        }
    }

    private static long check(String name, long bytes) {
        if (bytes > LIMIT) {
            throw Failures.overflow(
                    "%s to %d bytes, of which it makes at most %d,".formatted(name, bytes, LIMIT),
                    new ColumnType.Utf8());
        }
        return bytes;
    }
}
