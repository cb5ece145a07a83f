package io.spillway.split;

import io.spillway.cursor.Split;
import io.spillway.rows.InputPart;
import io.spillway.rows.RowSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a job reads, part by part, and which rows come of which part as far as that is known. */
final class InputMap {

    private final List<InputPart> parts;

    /** Bytes of all parts before one; of all, at the end. */
    private final long[] bytes;

    /** As {@code bytes}. */
    private final long[] rows;

    /** Number of the first row of each part, and of the row after the last; null if not known. */
    private final long @Nullable [] starts;

    private InputMap(List<InputPart> parts, OptionalLong total) {
        this.parts = parts;
        this.bytes = new long[parts.size() + 1];
        this.rows = new long[parts.size() + 1];
        for (int i = 0; i < parts.size(); i++) {
            bytes[i + 1] = bytes[i] + parts.get(i).bytes();
            rows[i + 1] = rows[i] + parts.get(i).rows();
        }
        this.starts = total.isPresent() ? starts(parts, total.getAsLong()) : null;
    }

    private static long[] starts(List<InputPart> parts, long total) {
        long[] starts = new long[parts.size() + 1];
        for (int i = 0; i < parts.size(); i++) {
            starts[i] = parts.get(i).firstRow();
        }
        starts[parts.size()] = total;
        return starts;
    }

    /** Null if the rows of a source do not come of parts that can be read by themselves. */
    static @Nullable InputMap of(RowSource source) {
        // In this order: what is counted by now is known of each part, too.
        OptionalLong total = source.rowCount();
        List<InputPart> parts = source.inputParts();
        return parts.isEmpty() ? null : new InputMap(parts, total);
    }

    int parts() {
        return parts.size();
    }

    long bytes() {
        return bytes[parts.size()];
    }

    /** Rows that go in. */
    long rows() {
        return rows[parts.size()];
    }

    /**
     * Borders between so many runs of parts that take about as many bytes each: the number of the
     * first part of each run, and of the part after the last. No run is empty if there are parts
     * enough; else those at the end are.
     */
    int[] borders(int runs) {
        int[] borders = new int[runs + 1];
        int filled = Math.min(runs, parts.size());
        int part = 0;
        for (int i = 0; i < filled; i++) {
            borders[i] = part;
            double end = (double) weight(parts.size()) * (i + 1) / filled;
            int last = parts.size() - (filled - 1 - i);
            part++;
            // A part belongs to the run in which most of it lies.
            while (part < last && ((double) weight(part) + weight(part + 1)) / 2 <= end) {
                part++;
            }
        }
        Arrays.fill(borders, filled, runs + 1, parts.size());
        return borders;
    }

    /** Parts without bytes are as long as they have rows. */
    private long weight(int part) {
        return bytes() > 0 ? bytes[part] : rows[part];
    }

    /** Number of the first row that comes of a part; of the row after the last, behind the last. */
    long start(int part) {
        return known()[part];
    }

    /** Whatever comes of parts {@code [from, to)}. */
    Split.Range range(int from, int to) {
        if (starts != null) {
            return new Split.Rows(starts[from], starts[to]);
        }
        return from == to
                ? new Split.Rows(0, 0)
                : new Split.Input(from, 0, to - 1, parts.get(to - 1).rows());
    }

    /** Rows that go in for a range. */
    long rows(Split.Input range) {
        return position(range.toPart(), range.toRow())
                - position(range.fromPart(), range.fromRow());
    }

    private long position(int part, long row) {
        return rows[part] + row;
    }

    /**
     * Cuts a range of input in two, so that the first half has about a fraction of it: between two
     * parts if there is such a place, else inside of a part.
     */
    List<Split.Range> cut(Split.Input range, double fraction) {
        long from = position(range.fromPart(), range.fromRow());
        long to = position(range.toPart(), range.toRow());
        long cut = from + Math.min((long) ((to - from) * fraction), to - from);
        if (range.fromPart() < range.toPart() && from < cut && cut < to) {
            cut = nearestStart(range, cut);
        }
        return List.of(between(from, cut), between(cut, to));
    }

    private long nearestStart(Split.Input range, long position) {
        long nearest = rows[range.fromPart() + 1];
        for (int i = range.fromPart() + 2; i <= range.toPart(); i++) {
            if (Math.abs(rows[i] - position) < Math.abs(nearest - position)) {
                nearest = rows[i];
            }
        }
        return nearest;
    }

    private Split.Range between(long from, long to) {
        if (from == to) {
            return new Split.Rows(0, 0);
        }
        int first = last(rows, from);
        int last = last(rows, to - 1);
        return new Split.Input(first, from - rows[first], last, to - rows[last]);
    }

    /** What is known of the rows of some input. */
    SplitDescription describe(Split.Input range) {
        double size = 0;
        for (int i = range.fromPart(); i <= range.toPart(); i++) {
            InputPart part = parts.get(i);
            long from = i == range.fromPart() ? range.fromRow() : 0;
            long to = i == range.toPart() ? range.toRow() : part.rows();
            size += share(part.bytes(), to - from, part.rows());
        }
        return new SplitDescription(
                rows(range),
                false,
                0,
                null,
                Math.round(size),
                files(range.fromPart(), range.toPart() + 1));
    }

    /** What is known of rows {@code [from, to)}, all of which are counted. */
    SplitDescription describe(long from, long to, long repeats) {
        double size = 0;
        int first = 0;
        int end = 0;
        if (from < to) {
            long[] known = known();
            first = last(known, from);
            end = last(known, to - 1) + 1;
            for (int i = first; i < end; i++) {
                long inside = Math.min(known[i + 1], to) - Math.max(known[i], from);
                size += share(parts.get(i).bytes(), inside, known[i + 1] - known[i]);
            }
        }
        return new SplitDescription(
                to - from + repeats,
                true,
                repeats,
                new SplitDescription.RowRange(from, to),
                Math.round(size),
                files(first, end));
    }

    boolean isCounted() {
        return starts != null;
    }

    private long[] known() {
        if (starts == null) {
            throw new IllegalStateException("rows that are not counted");
        }
        return starts;
    }

    private static double share(long bytes, long some, long rows) {
        return rows == 0 ? 0 : (double) bytes / rows * some;
    }

    /** The last of the parts that begin at a place or before it; it is not empty. */
    private static int last(long[] starts, long place) {
        int low = 0;
        int high = starts.length - 2;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts[middle] <= place) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private List<String> files(int from, int to) {
        List<String> files = new ArrayList<>();
        for (int i = from; i < to; i++) {
            String file = parts.get(i).file();
            if (file != null && (files.isEmpty() || !files.getLast().equals(file))) {
                files.add(file);
            }
        }
        return files;
    }
}
