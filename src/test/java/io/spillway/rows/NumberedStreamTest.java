package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NumberedStreamTest {

    private static final RowSchema SCHEMA =
            new RowSchema(List.of(new ColumnSchema("n", new ColumnType.Int(64, true), false)));

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingIsLeft() {
        assertThat(allocator.getAllocatedMemory()).isZero();
        allocator.close();
    }

    private RecordBatch batch(int rows) {
        BigIntVector vector = new BigIntVector("n", allocator);
        vector.allocateNew(Math.max(1, rows));
        vector.setValueCount(rows);
        return new RecordBatch(SCHEMA, List.of(new ColumnVector.Plain(vector)), rows);
    }

    private BatchStream batches(int... rows) {
        Queue<RecordBatch> left = new ArrayDeque<>();
        for (int count : rows) {
            left.add(batch(count));
        }
        return new BatchStream() {
            @Override
            public RowSchema schema() {
                return SCHEMA;
            }

            @Override
            public Poll<RecordBatch> poll() {
                RecordBatch next = left.poll();
                return next == null ? Poll.finished() : Poll.output(next);
            }

            @Override
            public void close() {
                left.forEach(RecordBatch::close);
            }
        };
    }

    private static BatchPart next(NumberedStream stream) {
        return (BatchPart) Objects.requireNonNull(SourceReading.next(stream));
    }

    @Test
    void partsOfOneSizeMakeUpEveryBatch() {
        List<String> parts = new ArrayList<>();
        try (NumberedStream stream = new NumberedStream(batches(10, 0, 3), 1_000, () -> 4)) {
            NumberedRows rows;
            while ((rows = SourceReading.next(stream)) != null) {
                try (BatchPart part = rows.take(allocator)) {
                    parts.add(part.firstRow() + ": " + part.from() + "-" + part.to());
                }
            }
        }
        assertThat(parts).containsExactly("1000: 0-3", "1000: 3-6", "1000: 6-10", "1010: 0-3");
    }

    @Test
    void aBatchGoesWithTheLastOfItsParts() {
        try (NumberedStream stream = new NumberedStream(batches(2), 0, () -> 1)) {
            BatchPart first = next(stream);
            BatchPart second = next(stream);
            second.close();
            assertThat(allocator.getAllocatedMemory()).isPositive();
            first.close();
            assertThat(allocator.getAllocatedMemory()).isZero();
        }
    }

    @Test
    void closingDropsThePartsThatNobodyHasTaken() {
        BatchPart taken;
        try (NumberedStream stream = new NumberedStream(batches(9, 9), 0, () -> 2)) {
            taken = next(stream);
        }
        assertThat(allocator.getAllocatedMemory()).isPositive();
        taken.close();
    }

    @Test
    void partsFollowWhatRowsLatelyTook() {
        ChunkRows rows = new ChunkRows(1_000);
        for (int i = 0; i < 20; i++) {
            rows.took(50, 5_000);
        }
        assertThat(rows.get()).isBetween(10, 11);
        rows.took(1, 1 << 30);
        assertThat(rows.get()).isBetween(5, 6);
        for (int i = 0; i < 10; i++) {
            rows.took(1, 1 << 30);
        }
        assertThat(rows.get()).isOne();
    }
}
