package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrueRowsTest {

    private static final RowSchema TRUTH =
            new RowSchema(List.of(new ColumnSchema("truth", new ColumnType.Bool(), false)));

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    /** Every third row, and every bit behind the last row, which is not to be counted. */
    private RecordBatch everyThird(int rows) {
        BitVector truth = (BitVector) TRUTH.column(0).toArrow().createVector(allocator);
        truth.allocateNew(rows + Long.SIZE);
        for (int i = 0; i < rows + Long.SIZE; i++) {
            truth.set(i, i % 3 == 0 || i >= rows ? 1 : 0);
        }
        truth.setValueCount(rows);
        return new RecordBatch(TRUTH, List.of(new ColumnVector.Plain(truth)), rows);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 63, 64, 65, 127, 1_000})
    void onlyTheirNumberIsLeftOfTrueRows(int rows) {
        try (BatchStream counted =
                new TrueRows().over(Streams.of(TRUTH, List.of(everyThird(rows))), 0, allocator)) {
            Poll<RecordBatch> answer = counted.poll();
            while (answer instanceof Poll.Blocked) {
                answer = counted.poll();
            }
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Poll.Output.class,
                            output -> {
                                RecordBatch batch = (RecordBatch) output.item();
                                assertThat(batch.schema().size()).isZero();
                                assertThat(batch.rowCount()).isEqualTo((rows + 2) / 3);
                            });
        }
    }
}
