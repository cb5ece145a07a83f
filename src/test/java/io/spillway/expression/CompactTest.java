package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompactTest {

    private static final int ROWS = 8_192;

    private final RootAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingIsLeft() {
        allocator.close();
    }

    private RecordBatch numbers() {
        ColumnSchema column = new ColumnSchema("n", new ColumnType.Int(64, true), true);
        BigIntVector vector = (BigIntVector) column.toArrow().createVector(allocator);
        vector.allocateNew(ROWS);
        for (int i = 0; i < ROWS; i++) {
            vector.set(i, i);
        }
        vector.setValueCount(ROWS);
        return new RecordBatch(
                new RowSchema(List.of(column)), List.of(new ColumnVector.Plain(vector)), ROWS);
    }

    @Test
    void aFewRowsDoNotKeepAllOthers() {
        List<RecordBatch> kept = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            try (RecordBatch batch = numbers()) {
                kept.add(Compact.compact(batch.slice(i, 2), allocator));
            }
        }
        assertThat(allocator.getAllocatedMemory()).isLessThan(100 * 64);
        assertThat(kept.get(7).column(0))
                .isInstanceOfSatisfying(
                        ColumnVector.Plain.class,
                        column -> {
                            assertThat(column.vector().getObject(0)).isEqualTo(7L);
                            assertThat(column.vector().getObject(1)).isEqualTo(8L);
                        });
        kept.forEach(RecordBatch::close);
    }

    @Test
    void whatHoldsHardlyMoreThanItTakesIsNotCopied() {
        RecordBatch batch = numbers();
        assertThat(Compact.compact(batch, allocator)).isSameAs(batch);
        RecordBatch most = batch.slice(0, ROWS * 63 / 64);
        assertThat(Compact.compact(most, allocator)).isSameAs(most);
        most.close();
        batch.close();
    }
}
