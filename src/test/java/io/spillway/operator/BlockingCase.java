package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.aggregate.AggregateCall;
import io.spillway.operator.aggregate.AggregateFunction;
import io.spillway.operator.aggregate.AggregateOperator;
import io.spillway.operator.aggregate.DistinctOperator;
import io.spillway.operator.join.JoinKey;
import io.spillway.operator.join.JoinOperator;
import io.spillway.operator.join.JoinType;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.sort.SortOperator;
import io.spillway.operator.window.WindowCall;
import io.spillway.operator.window.WindowFrame;
import io.spillway.operator.window.WindowFunction;
import io.spillway.operator.window.WindowOperator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;

/**
 * A blocking step over rows of a key, a real number and a text, with and without a second input.
 *
 * @param inputs how many it has
 * @param little memory half of which, what is for work, is less than it would take
 */
record BlockingCase(String name, BlockingOperator operator, int inputs, long little) {

    private static final long LITTLE = 4 << 20;

    /** For what keeps little more than keys. */
    private static final long LEAST = 2 << 20;

    private static final ColumnType LONG = new ColumnType.Int(64, true);
    private static final ColumnType REAL = new ColumnType.FloatingPoint(64);
    private static final ColumnType TEXT = new ColumnType.Utf8();

    private static final RowSchema ROWS =
            new RowSchema(
                    List.of(
                            new ColumnSchema("k", LONG, true),
                            new ColumnSchema("x", REAL, true),
                            new ColumnSchema("s", TEXT, true)));

    private static final int BATCH_ROWS = 700;
    private static final int BATCH_BYTES = 200_000;

    /** Keys: the second input has each tenth of them as often as the first has all. */
    private static final int KEYS = 20_000;

    /** Each kind of blocking step. */
    static List<BlockingCase> all() {
        List<BlockingCase> all = new ArrayList<>();
        SortKey byText = new SortKey(2, false, true);
        SortKey byReal = new SortKey(1, true, false);
        all.add(
                one(
                        "sort",
                        new SortOperator(List.of(byText, byReal), Long.MAX_VALUE, ROWS),
                        LITTLE));
        all.add(one("distinct", new DistinctOperator(ROWS, List.of(2)), LEAST));
        all.add(one("aggregate", aggregate(List.of(byReal)), LITTLE));
        all.add(one("window", window(), LITTLE));
        for (JoinType type : JoinType.values()) {
            all.add(
                    new BlockingCase(
                            type + " join", join(type), 2, type.hasRight() ? LITTLE : LEAST / 2));
        }
        return all;
    }

    /** Nothing is asked of a sort. */
    static BlockingCase limitedToNothing() {
        return one(
                "sort, limit 0",
                new SortOperator(List.of(new SortKey(0, false, true)), 0, ROWS),
                LITTLE);
    }

    private static BlockingCase one(String name, BlockingOperator operator, long little) {
        return new BlockingCase(name, operator, 1, little);
    }

    /** Calls that are added up, that keep values, and that need their rows in order. */
    private static BlockingOperator aggregate(List<SortKey> order) {
        ColumnType list = new ColumnType.ListOf(REAL, true);
        return new AggregateOperator(
                ROWS,
                List.of(2),
                List.of(
                        call(AggregateFunction.COUNT_ROWS, List.of(), List.of(), LONG),
                        call(AggregateFunction.SUM, List.of(1), List.of(), REAL),
                        call(AggregateFunction.MAX, List.of(0), List.of(), LONG),
                        call(AggregateFunction.ARRAY_AGG, List.of(1), order, list)),
                schema(TEXT, LONG, REAL, LONG, list));
    }

    private static AggregateCall call(
            AggregateFunction function,
            List<Integer> arguments,
            List<SortKey> order,
            ColumnType type) {
        return new AggregateCall(function, arguments, false, null, order, List.of(), type);
    }

    /** All rows are one partition, which is larger than what is kept of one. */
    private static BlockingOperator window() {
        List<ColumnSchema> columns = new ArrayList<>(ROWS.columns());
        columns.add(new ColumnSchema("w", LONG, true));
        columns.add(new ColumnSchema("t", TEXT, true));
        columns.add(new ColumnSchema("m", REAL, true));
        return new WindowOperator(
                ROWS,
                List.of(),
                List.of(new SortKey(0, false, true)),
                List.of(
                        new WindowCall(
                                WindowFunction.RANK,
                                List.of(),
                                WindowFrame.PARTITION,
                                List.of(),
                                LONG),
                        new WindowCall(
                                WindowFunction.LAST_VALUE,
                                List.of(2),
                                WindowFrame.PARTITION,
                                List.of(),
                                TEXT),
                        new WindowCall(
                                WindowFunction.SUM,
                                List.of(1),
                                WindowFrame.PARTITION,
                                List.of(),
                                REAL)),
                new RowSchema(columns));
    }

    private static BlockingOperator join(JoinType type) {
        List<ColumnSchema> columns = new ArrayList<>(ROWS.columns());
        if (type.hasRight()) {
            ROWS.columns()
                    .forEach(c -> columns.add(new ColumnSchema("r" + c.name(), c.type(), true)));
        }
        return new JoinOperator(
                type, List.of(new JoinKey(0, 0, false)), null, ROWS, ROWS, new RowSchema(columns));
    }

    private static RowSchema schema(ColumnType... types) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnType type : types) {
            columns.add(new ColumnSchema("c" + columns.size(), type, true));
        }
        return new RowSchema(columns);
    }

    /**
     * Its inputs, always of the same rows.
     *
     * @param textBytes of each text at least
     * @param allocator for their batches
     */
    List<BatchStream> inputs(int rows, int textBytes, BufferAllocator allocator) {
        int most = Math.clamp(BATCH_BYTES / (textBytes + 1), 1, BATCH_ROWS);
        List<BatchStream> streams = new ArrayList<>();
        for (int i = 0; i < inputs; i++) {
            Random random = new Random(i + 1L);
            List<RecordBatch> batches = new ArrayList<>();
            for (int from = 0; from < rows; from += most) {
                batches.add(
                        batch(
                                Math.min(most, rows - from),
                                10 * i + 1,
                                textBytes,
                                random,
                                allocator));
            }
            streams.add(Streams.of(ROWS, batches));
        }
        return streams;
    }

    private static RecordBatch batch(
            int rows, int step, int textBytes, Random random, BufferAllocator allocator) {
        BigIntVector keys = (BigIntVector) ROWS.column(0).toArrow().createVector(allocator);
        Float8Vector reals = (Float8Vector) ROWS.column(1).toArrow().createVector(allocator);
        VarCharVector texts = (VarCharVector) ROWS.column(2).toArrow().createVector(allocator);
        keys.allocateNew(rows);
        reals.allocateNew(rows);
        texts.allocateNew(rows);
        for (int i = 0; i < rows; i++) {
            long key = (long) step * random.nextInt(KEYS);
            if (random.nextInt(50) == 0) {
                keys.setNull(i);
            } else {
                keys.set(i, key);
            }
            reals.set(i, random.nextGaussian());
            String text =
                    "text of some length, number "
                            + random.nextInt(KEYS)
                            + random.ints(textBytes, 'a', 'z')
                                    .collect(
                                            StringBuilder::new,
                                            (all, letter) -> all.append((char) letter),
                                            StringBuilder::append);
            texts.setSafe(i, text.getBytes(StandardCharsets.UTF_8));
        }
        keys.setValueCount(rows);
        reals.setValueCount(rows);
        texts.setValueCount(rows);
        List<ColumnVector> columns =
                List.of(
                        new ColumnVector.Plain(keys),
                        new ColumnVector.Plain(reals),
                        new ColumnVector.Plain(texts));
        return new RecordBatch(ROWS, columns, rows);
    }

    @Override
    public String toString() {
        return name;
    }
}
