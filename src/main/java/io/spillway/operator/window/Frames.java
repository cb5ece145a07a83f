package io.spillway.operator.window;

import io.spillway.batch.ColumnType;
import io.spillway.operator.key.SortKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames of rows. Neither beginnings nor ends ever go back from row to row, so each is
 * found by going on from the one before.
 */
final class Frames implements AutoCloseable {

    private final WindowFrame frame;
    private final Edge start;
    private final Edge end;

    Frames(WindowFrame frame, WindowShape shape, Segment segment) {
        this.frame = frame;
        this.start = edge(frame.start(), shape, segment);
        this.end = edge(frame.end(), shape, segment);
    }

    private Edge edge(WindowFrame.Bound bound, WindowShape shape, Segment segment) {
        boolean offset =
                switch (bound.kind()) {
                    case PRECEDING, FOLLOWING -> true;
                    case UNBOUNDED_PRECEDING, CURRENT_ROW, UNBOUNDED_FOLLOWING -> false;
                };
        Search search =
                offset && frame.unit() == WindowFrame.Unit.RANGE
                        ? new Search(bound, shape, segment)
                        : null;
        long rows =
                offset && search == null
                        ? Long.parseLong(
                                Objects.requireNonNull(
                                        Objects.requireNonNull(bound.offset()).value()))
                        : 0;
        return new Edge(bound.kind(), rows, search);
    }

    /**
     * One end of a frame.
     *
     * @param rows how far away it is, if rows are counted
     * @param search finds it, if it is told by a difference of keys
     */
    private record Edge(WindowFrame.Bound.Kind kind, long rows, @Nullable Search search) {}

    /**
     * Finds the frames of a batch's rows.
     *
     * @param starts filled with the positions of first rows
     * @param ends filled with those behind the last ones; no more than the start if there is none
     */
    void fill(Rows rows, long[] starts, long[] ends) {
        for (int i = 0; i < rows.count(); i++) {
            starts[i] = at(start, rows, i, false);
            ends[i] = at(end, rows, i, true);
        }
    }

    private long at(Edge edge, Rows rows, int row, boolean behind) {
        if (edge.search != null) {
            return edge.search.find(rows, row, behind);
        }
        long position = rows.first + row + (behind ? 1 : 0);
        return switch (edge.kind) {
            case UNBOUNDED_PRECEDING -> rows.partition[row];
            case UNBOUNDED_FOLLOWING -> rows.partitionEnd[row];
            case CURRENT_ROW ->
                    frame.unit() == WindowFrame.Unit.ROWS
                            ? position
                            : behind ? rows.peersEnd[row] : rows.peers[row];
            case PRECEDING -> position - Math.min(edge.rows, position - rows.partition[row]);
            case FOLLOWING -> position + Math.min(edge.rows, rows.partitionEnd[row] - position);
        };
    }

    /** Finds the end of a frame that is so far away from the current row's key. */
    private static final class Search implements AutoCloseable {

        private final SortKey key;
        private final boolean adds;
        private final NumberValue offset;
        private final NumberValue own;
        private final NumberValue limit;
        private final NumberValue other;
        private final Reader reader;
        private long at;

        Search(WindowFrame.Bound bound, WindowShape shape, Segment segment) {
            this.key = shape.order().getFirst();
            ColumnType type = shape.input().column(key.column()).type();
            this.adds = bound.kind() == WindowFrame.Bound.Kind.FOLLOWING != key.descending();
            this.offset = NumberValue.of(Objects.requireNonNull(bound.offset()), type);
            this.own = new NumberValue(type);
            this.limit = new NumberValue(type);
            this.other = new NumberValue(type);
            this.reader = new Reader(segment);
        }

        long find(Rows rows, int row, boolean behind) {
            if (!own.load(rows.plain(key.column()), row) || own.isNaN()) {
                return behind ? rows.peersEnd[row] : rows.peers[row];
            }
            if (adds) {
                limit.setSum(own, offset);
            } else {
                limit.setDifference(own, offset);
            }
            at = Math.max(at, rows.partition[row]);
            while (at < rows.partitionEnd[row]) {
                int order = order();
                if (behind ? order > 0 : order >= 0) {
                    break;
                }
                at++;
            }
            return at;
        }

        /** How the row that has been come to compares to the limit, in the window's order. */
        private int order() {
            int row = reader.moveTo(at);
            if (!other.load(reader.plain(key.column()), row)) {
                return key.nullsFirst() ? -1 : 1;
            }
            int order = other.compareTo(limit);
            return key.descending() ? -order : order;
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    @Override
    public void close() {
        if (start.search != null) {
            start.search.close();
        }
        if (end.search != null) {
            end.search.close();
        }
    }
}
