package io.spillway.scan.ndjson;

import io.spillway.batch.OffHeap;
import io.spillway.scan.text.Swar;

/**
 * Finds the lines that hold something. A line ends with a line feed, or with the text: inside of a
 * JSON text a raw one can only stand between tokens.
 *
 * @see <a href="https://github.com/ndjson/ndjson-spec">Newline-delimited JSON</a>
 */
final class JsonLines {

    private final int[] starts;
    private final int[] ends;
    private long base;
    private long next;

    /**
     * @param most lines that are noted at a time
     */
    JsonLines(int most) {
        this.starts = new int[most];
        this.ends = new int[most];
    }

    /** What noting so many lines takes on the heap. */
    static long bytes(int most) {
        return 2L * Integer.BYTES * most;
    }

    /**
     * Finds lines and notes them.
     *
     * @param limit lines that begin behind it are left
     * @param last whether the text ends at {@code to}
     * @param bytes that the lines have together, more or less, unless there is only one
     */
    int find(long from, long limit, long to, boolean last, int most, int bytes) {
        base = from;
        next = from;
        int row = 0;
        while (row < most && next < to && next <= limit && (row == 0 || next - from < bytes)) {
            long end = end(next, to, last);
            if (end < 0) {
                break;
            }
            if (!isBlank(next, end)) {
                starts[row] = (int) (next - from);
                ends[row] = (int) (end - from);
                row++;
            }
            next = Math.min(to, end + 1);
        }
        return row;
    }

    /** Finds lines that nobody wants. */
    int skip(long from, long to, boolean last, long most) {
        next = from;
        int row = 0;
        while (row < most && next < to) {
            long end = end(next, to, last);
            if (end < 0) {
                break;
            }
            row += isBlank(next, end) ? 0 : 1;
            next = Math.min(to, end + 1);
        }
        return row;
    }

    private static long end(long from, long to, boolean last) {
        long end = Swar.find(from, to, (byte) '\n');
        return end >= 0 || !last ? end : to;
    }

    private static boolean isBlank(long from, long end) {
        for (long at = from; at < end; at++) {
            byte b = OffHeap.getByte(at);
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    /** The address behind what was found or passed over last. */
    long next() {
        return next;
    }

    /** The address of a noted line. */
    long start(int row) {
        return base + starts[row];
    }

    /** The address behind a noted line, without its line feed. */
    long end(int row) {
        return base + ends[row];
    }
}
