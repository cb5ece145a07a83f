package io.spillway.operator.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.Streams;
import io.spillway.operator.key.SortKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorts of more rows than memory holds, and of rows that are larger than a batch. */
class SortSpillTest {

    private static final long PLENTY = 1L << 30;
    private static final long LITTLE = 4 << 20;
    private static final int ROWS = 200_000;
    private static final int INPUT_ROWS = 4_000;
    private static final int BATCH_ROWS = 4_096;

    private static final ColumnType LONG = new ColumnType.Int(64, true);
    private static final RowSchema SCHEMA =
            new RowSchema(
                    List.of(
                            new ColumnSchema("id", LONG, false),
                            new ColumnSchema("k", LONG, true),
                            new ColumnSchema("s", new ColumnType.Utf8(), true),
                            new ColumnSchema("l", new ColumnType.ListOf(LONG, true), true)));

    private static final List<SortKey> BY_K =
            List.of(
                    new SortKey(1, false, true),
                    new SortKey(2, true, false),
                    new SortKey(0, false, false));
    private static final List<SortKey> BY_L =
            List.of(new SortKey(3, true, false), new SortKey(0, false, false));

    @TempDir Path folder;

    private static @Nullable Long k(long id) {
        return id % 10 < 3 ? null : id * 7_919 % 1_000;
    }

    private static @Nullable String s(long id) {
        return id % 11 == 0 ? null : "text " + id % 97;
    }

    /** Lists of a null, of k, and of a null and k. */
    private static List<@Nullable Long> l(long id) {
        List<@Nullable Long> list = new ArrayList<>();
        if (id % 3 != 1) {
            list.add(null);
        }
        if (id % 3 != 0) {
            list.add(k(id));
        }
        return list;
    }

    private static RecordBatch batch(long from, int count, BufferAllocator allocator) {
        BigIntVector id = (BigIntVector) SCHEMA.column(0).toArrow().createVector(allocator);
        BigIntVector k = (BigIntVector) SCHEMA.column(1).toArrow().createVector(allocator);
        VarCharVector s = (VarCharVector) SCHEMA.column(2).toArrow().createVector(allocator);
        ListVector l = (ListVector) SCHEMA.column(3).toArrow().createVector(allocator);
        BigIntVector elements = (BigIntVector) l.getDataVector();
        for (int i = 0; i < count; i++) {
            id.setSafe(i, from + i);
            Long ofK = k(from + i);
            if (ofK == null) {
                k.setNull(i);
            } else {
                k.setSafe(i, ofK);
            }
            String ofS = s(from + i);
            if (ofS == null) {
                s.setNull(i);
            } else {
                s.setSafe(i, ofS.getBytes(StandardCharsets.UTF_8));
            }
            int at = l.startNewValue(i);
            List<@Nullable Long> list = l(from + i);
            for (int e = 0; e < list.size(); e++) {
                Long element = list.get(e);
                if (element == null) {
                    elements.setNull(at + e);
                } else {
                    elements.setSafe(at + e, element);
                }
            }
            l.endValue(i, list.size());
        }
        id.setValueCount(count);
        k.setValueCount(count);
        s.setValueCount(count);
        l.setValueCount(count);
        return new RecordBatch(
                SCHEMA,
                List.of(
                        new ColumnVector.Plain(id),
                        new ColumnVector.Plain(k),
                        new ColumnVector.Plain(s),
                        new ColumnVector.Plain(l)),
                count);
    }

    /** The rows, made as they are asked for. */
    private static BatchStream input(BufferAllocator allocator) {
        return new BatchStream() {

            private long next;

            @Override
            public RowSchema schema() {
                return SCHEMA;
            }

            @Override
            public Poll<RecordBatch> poll() {
                if (next >= ROWS) {
                    return Poll.finished();
                }
                RecordBatch batch = batch(next, INPUT_ROWS, allocator);
                next += INPUT_ROWS;
                return Poll.output(batch);
            }

            @Override
            public void close() {
                next = ROWS;
            }
        };
    }

    /** What comes out, batch by batch. */
    private List<List<List<@Nullable Object>>> sort(
            List<SortKey> keys, long limit, long memory, int parallelism) {
        List<List<List<@Nullable Object>>> batches = new ArrayList<>();
        try (SortRig rig = new SortRig(folder, memory, parallelism, BATCH_ROWS);
                BatchStream stream =
                        new SortOperator(keys, limit, SCHEMA)
                                .over(List.of(input(rig.pool().allocator())), rig.context())) {
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                        try (batch) {
                            batches.add(Streams.rows(batch));
                        }
                    }
                    case Poll.Blocked<RecordBatch> blocked -> blocked.until().join();
                    case Poll.Finished<RecordBatch> _ -> {
                        boolean spills = memory == LITTLE && limit == Long.MAX_VALUE;
                        assertThat(rig.manager().written() > 0).isEqualTo(spills);
                        return batches;
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void spilledIsAsInMemoryAndALimitIsABeginning(boolean byK) {
        List<SortKey> keys = byK ? BY_K : BY_L;
        List<List<@Nullable Object>> rows =
                sort(keys, Long.MAX_VALUE, PLENTY, 1).stream().flatMap(List::stream).toList();
        assertThat(rows).hasSize(ROWS);
        if (byK) {
            assertThat(rows.subList(0, 60_000)).allMatch(row -> row.get(1) == null);
            assertThat(rows.get(60_000).get(1)).isNotNull();
        }
        // Batches are no larger than little memory lets them be; threads do not matter.
        List<List<List<@Nullable Object>>> spilled = sort(keys, Long.MAX_VALUE, LITTLE, 1);
        assertThat(spilled.stream().flatMap(List::stream).toList()).isEqualTo(rows);
        for (int parallelism : new int[] {2, 8}) {
            assertThat(sort(keys, Long.MAX_VALUE, LITTLE, parallelism)).isEqualTo(spilled);
        }
        for (long memory : new long[] {PLENTY, LITTLE}) {
            assertThat(sort(keys, 540, memory, 2).stream().flatMap(List::stream))
                    .containsExactlyElementsOf(rows.subList(0, 540));
        }
    }

    @Test
    void rowsThatAreLargerThanABatchGoAlone() {
        int count = 48;
        int bytes = 1_500_000;
        ColumnType text = new ColumnType.Utf8();
        RowSchema schema = new RowSchema(List.of(new ColumnSchema("t", text, true)));
        try (SortRig rig = new SortRig(folder, 48 << 20, 2, BATCH_ROWS)) {
            BatchStream input =
                    new BatchStream() {

                        private int next;

                        @Override
                        public RowSchema schema() {
                            return schema;
                        }

                        @Override
                        public Poll<RecordBatch> poll() {
                            if (next == count) {
                                return Poll.finished();
                            }
                            VarCharVector t =
                                    (VarCharVector)
                                            schema.column(0)
                                                    .toArrow()
                                                    .createVector(rig.pool().allocator());
                            t.allocateNew(bytes, 1);
                            byte[] value = new byte[bytes];
                            Arrays.fill(value, (byte) 'a');
                            value[bytes - 1] = (byte) ('0' + next++ * 7 % count);
                            t.set(0, value);
                            t.setValueCount(1);
                            return Poll.output(
                                    new RecordBatch(schema, List.of(new ColumnVector.Plain(t)), 1));
                        }

                        @Override
                        public void close() {
                            next = count;
                        }
                    };
            SortOperator sort =
                    new SortOperator(List.of(new SortKey(0, false, false)), Long.MAX_VALUE, schema);
            List<Byte> last = new ArrayList<>();
            try (BatchStream stream = sort.over(List.of(input), rig.context())) {
                for (boolean ended = false; !ended; ) {
                    switch (stream.poll()) {
                        case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                            try (batch) {
                                assertThat(batch.rowCount()).isOne();
                                if (batch.column(0)
                                        instanceof ColumnVector.Plain(VarCharVector t)) {
                                    last.add(t.get(0)[bytes - 1]);
                                }
                            }
                        }
                        case Poll.Blocked<RecordBatch> blocked -> blocked.until().join();
                        case Poll.Finished<RecordBatch> _ -> ended = true;
                    }
                }
            }
            assertThat(rig.manager().written()).isPositive();
            assertThat(last).hasSize(count).isSorted();
        }
    }
}
