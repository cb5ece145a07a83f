package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * Which rows a call counts: those for which its filter is true and, unless it takes nulls, none of
 * its arguments is null.
 *
 * @param filter position of a column of truth values, or null
 * @param notNull positions of columns
 */
record CallRows(@Nullable Integer filter, List<Integer> notNull) {

    static CallRows of(AggregateCall call) {
        return new CallRows(
                call.filter(),
                switch (call.function()) {
                    case COUNT_ROWS, FIRST, LAST, ARRAY_AGG, SINGLE_VALUE -> List.of();
                    case COUNT,
                            SUM,
                            AVG,
                            MIN,
                            MAX,
                            STDDEV_SAMP,
                            STDDEV_POP,
                            VAR_SAMP,
                            VAR_POP,
                            PERCENTILE_CONT,
                            PERCENTILE_DISC,
                            ANY_VALUE,
                            BOOL_AND,
                            BOOL_OR,
                            APPROX_COUNT_DISTINCT ->
                            call.arguments();
                });
    }

    /** The rows of a batch, which must stay open. */
    Bound bind(RecordBatch batch) {
        long[] bitmaps = new long[notNull.size() + 2];
        int count = 0;
        for (int column : notNull) {
            count = add(validity(batch.column(column)), bitmaps, count);
        }
        @Nullable FilterValues values = filter == null ? null : values(batch.column(filter));
        return new Bound(bitmaps, count, values);
    }

    private static int add(FieldVector vector, long[] to, int count) {
        if (vector.getNullCount() == 0) {
            return count;
        }
        to[count] = vector.getValidityBuffer().memoryAddress();
        return count + 1;
    }

    private static FieldVector validity(ColumnVector column) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded(var indices, var _) -> indices;
        };
    }

    private static FilterValues values(ColumnVector column) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) ->
                    new FilterValues(
                            vector.getNullCount() == 0
                                    ? 0
                                    : vector.getValidityBuffer().memoryAddress(),
                            0,
                            vector.getDataBuffer().memoryAddress());
            case ColumnVector.Encoded(var indices, var dictionary) ->
                    new FilterValues(
                            indices.getNullCount() == 0
                                    ? 0
                                    : indices.getValidityBuffer().memoryAddress(),
                            indices.getDataBuffer().memoryAddress(),
                            dictionary.values().getDataBuffer().memoryAddress());
        };
    }

    /**
     * Truth values.
     *
     * @param validity a bitmap, or 0 if none is null
     * @param indices into the bits, or 0 if each row has its own
     */
    private record FilterValues(long validity, long indices, long bits) {

        boolean isTrue(int row) {
            if (validity != 0 && !bit(validity, row)) {
                return false;
            }
            return bit(bits, indices == 0 ? row : OffHeap.getInt(indices + 4L * row));
        }
    }

    private static boolean bit(long bitmap, int row) {
        return (OffHeap.getByte(bitmap + (row >>> 3)) >>> (row & 7) & 1) != 0;
    }

    /** The rows of one batch. */
    static final class Bound {

        private final long[] bitmaps;
        private final int count;
        private final @Nullable FilterValues filter;

        private Bound(long[] bitmaps, int count, @Nullable FilterValues filter) {
            this.bitmaps = bitmaps;
            this.count = count;
            this.filter = filter;
        }

        /** Whether every row counts. */
        boolean all() {
            return count == 0 && filter == null;
        }

        /**
         * Chooses among rows.
         *
         * @param rows of which {@code [from, from + length)} are looked at
         * @param chosen places in {@code rows}, as distances from {@code from}, out
         * @return how many
         */
        int choose(int[] rows, int from, int length, int[] chosen) {
            int n = 0;
            if (filter == null && count == 1) {
                long bitmap = bitmaps[0];
                for (int i = 0; i < length; i++) {
                    chosen[n] = i;
                    n += bit(bitmap, rows[from + i]) ? 1 : 0;
                }
                return n;
            }
            for (int i = 0; i < length; i++) {
                chosen[n] = i;
                n += counts(rows[from + i]) ? 1 : 0;
            }
            return n;
        }

        private boolean counts(int row) {
            for (int b = 0; b < count; b++) {
                if (!bit(bitmaps[b], row)) {
                    return false;
                }
            }
            return filter == null || filter.isTrue(row);
        }
    }
}
