package io.spillway.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.Streams;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FullerBatchesTest {

    private static final RowSchema SCHEMA =
            new RowSchema(List.of(new ColumnSchema("n", new ColumnType.Int(64, true), true)));

    private static final int BLOCK_ROWS = 8_192;
    private static final BatchLimit SIZE = new BatchLimit(100, 64 << 10);

    private final RootAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingIsLeft() {
        allocator.close();
    }

    private RecordBatch block(long first) {
        BigIntVector vector = (BigIntVector) SCHEMA.column(0).toArrow().createVector(allocator);
        vector.allocateNew(BLOCK_ROWS);
        for (int i = 0; i < BLOCK_ROWS; i++) {
            vector.set(i, first + i);
        }
        vector.setValueCount(BLOCK_ROWS);
        return new RecordBatch(SCHEMA, List.of(new ColumnVector.Plain(vector)), BLOCK_ROWS);
    }

    /** Gives so many rows of a block each time. */
    private BatchStream slices(List<Integer> sizes) {
        return new BatchStream() {

            private int next;
            private long first;

            @Override
            public RowSchema schema() {
                return SCHEMA;
            }

            @Override
            public Poll<RecordBatch> poll() {
                if (next == sizes.size()) {
                    return Poll.finished();
                }
                int size = sizes.get(next++);
                try (RecordBatch block = block(first)) {
                    first += size;
                    return Poll.output(block.slice(0, size));
                }
            }

            @Override
            public void close() {
                next = sizes.size();
            }
        };
    }

    private record Given(List<Integer> sizes, List<Object> values, long mostHeld) {}

    private Given drain(List<Integer> sizes) {
        List<Integer> given = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        long most = 0;
        try (FullerBatches fuller = new FullerBatches(slices(sizes), SIZE, allocator)) {
            while (true) {
                Poll<RecordBatch> answer = fuller.poll();
                most = Math.max(most, allocator.getAllocatedMemory());
                if (answer instanceof Poll.Finished) {
                    return new Given(given, values, most);
                }
                if (answer instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                    try (batch) {
                        given.add(batch.rowCount());
                        Streams.rows(batch).forEach(row -> values.add(row.getFirst()));
                    }
                }
            }
        }
    }

    /** A few rows of each block used to keep the memory of all the blocks. */
    @Test
    void fewRowsOfManyBlocksAreGivenTogetherAndKeepNone() {
        List<Integer> twos = Collections.nCopies(1_000, 2);
        Given given = drain(twos);
        assertThat(given.sizes()).hasSize(40).containsOnly(50);
        assertThat(given.values()).hasSize(2_000).isSorted();
        assertThat(given.mostHeld()).isLessThan(16 << 10);
    }

    @Test
    void largeBatchesPassAsTheyAreBehindTheSmallOnesBeforeThem() {
        Given given = drain(List.of(70, 3, 4, 90, 100, 20, 20, 20, 1));
        assertThat(given.sizes()).containsExactly(70, 7, 90, 100, 60, 1);
        assertThat(given.values()).hasSize(328).isSorted();
    }

    @Test
    void closingFreesWhatWaits() {
        FullerBatches fuller = new FullerBatches(slices(List.of(2, 2, 2)), SIZE, allocator);
        fuller.poll();
        fuller.poll();
        fuller.close();
        FullerBatches behind = new FullerBatches(slices(List.of(2, 90)), SIZE, allocator);
        behind.poll();
        Poll<RecordBatch> first = behind.poll();
        assertThat(first).isInstanceOf(Poll.Output.class);
        if (first instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
            batch.close();
        }
        behind.close();
    }
}
