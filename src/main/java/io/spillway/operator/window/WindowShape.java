package io.spillway.operator.window;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.SortKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A window over rows that are sorted by its partition and order.
 *
 * @param input the columns that come in
 * @param output these, then the calls
 */
record WindowShape(
        RowSchema input,
        List<Integer> partition,
        List<SortKey> order,
        List<WindowCall> calls,
        RowSchema output) {

    private static final ColumnType POSITION = new ColumnType.Int(Long.SIZE, true);

    /** The input's columns, and for each row where its partition and where its peers begin. */
    RowSchema marked() {
        List<ColumnSchema> columns = new ArrayList<>(input.columns());
        columns.add(new ColumnSchema(freeName("partition", input), POSITION, false));
        columns.add(new ColumnSchema(freeName("peers", input), POSITION, false));
        return new RowSchema(columns);
    }

    /** A name that no column has. */
    static String freeName(String wish, RowSchema schema) {
        String name = wish;
        while (schema.indexOf(name) >= 0) {
            name += "_";
        }
        return name;
    }

    /** The column of {@link #marked} that says where a row's partition begins. */
    int partitionColumn() {
        return input.size();
    }

    /** The column of {@link #marked} that says where a row's peers begin. */
    int peersColumn() {
        return input.size() + 1;
    }

    /** Columns that are calculated with, and so are needed in plain form. */
    BitSet numbers() {
        BitSet numbers = new BitSet();
        for (WindowCall call : calls) {
            switch (call.function()) {
                case SUM, AVG -> numbers.set(call.arguments().getFirst());
                case ROW_NUMBER,
                        RANK,
                        DENSE_RANK,
                        PERCENT_RANK,
                        CUME_DIST,
                        NTILE,
                        LAG,
                        LEAD,
                        FIRST_VALUE,
                        LAST_VALUE,
                        NTH_VALUE,
                        COUNT,
                        COUNT_ROWS,
                        MIN,
                        MAX -> {}
            }
        }
        if (order.size() == 1) {
            numbers.set(order.getFirst().column());
        }
        return numbers;
    }

    /** How many {@link Reader}s go over a segment at a time, at most. */
    int readers() {
        Set<WindowFrame> frames = new HashSet<>();
        for (WindowCall call : calls) {
            if (call.function().usesFrame()) {
                frames.add(call.frame());
            }
        }
        // The rows themselves, and the ends of partitions and peers; both bounds of each frame;
        // what enters a frame and what leaves it.
        return 3 + 2 * frames.size() + 2 * calls.size();
    }

    /** The column of a call in the output. */
    ColumnSchema column(int call) {
        return output.column(input.size() + call);
    }
}
