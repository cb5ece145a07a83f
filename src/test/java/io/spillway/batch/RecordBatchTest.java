package io.spillway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordBatchTest {

    private static final RowSchema SCHEMA =
            new RowSchema(
                    List.of(
                            new ColumnSchema("id", new ColumnType.Int(64, true), true),
                            new ColumnSchema("word", new ColumnType.Utf8(), true)));

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingIsLeft() {
        assertThat(allocator.getAllocatedMemory()).isZero();
        allocator.close();
    }

    /** Ten rows: id 0 to 9 with every third null, and words of two from a dictionary. */
    private RecordBatch batch() {
        BigIntVector ids = new BigIntVector("id", allocator);
        ids.allocateNew(10);
        IntVector indices = new IntVector("word", allocator);
        indices.allocateNew(10);
        for (int i = 0; i < 10; i++) {
            if (i % 3 == 0) {
                ids.setNull(i);
            } else {
                ids.set(i, i);
            }
            indices.set(i, i % 2);
        }
        ids.setValueCount(10);
        indices.setValueCount(10);
        VarCharVector words = new VarCharVector("word", allocator);
        words.allocateNew(16, 2);
        words.setSafe(0, "even".getBytes(StandardCharsets.UTF_8));
        words.setSafe(1, "odd".getBytes(StandardCharsets.UTF_8));
        words.setValueCount(2);
        return new RecordBatch(
                SCHEMA,
                List.of(
                        new ColumnVector.Plain(ids),
                        new ColumnVector.Encoded(indices, new Dictionary(words))),
                10);
    }

    @Test
    void aSliceOutlivesItsBatch() {
        RecordBatch batch = batch();
        RecordBatch slice = batch.slice(3, 5);
        batch.close();
        batch.close();
        try (slice) {
            assertThat(slice.rowCount()).isEqualTo(5);
            BigIntVector ids = (BigIntVector) ((ColumnVector.Plain) slice.column(0)).vector();
            assertThat(ids.isNull(0)).isTrue();
            assertThat(ids.get(1)).isEqualTo(4);
            ColumnVector.Encoded words = (ColumnVector.Encoded) slice.column(1);
            assertThat(words.dictionary().values().getObject(words.indices().get(0)))
                    .hasToString("odd");
        }
    }

    @Test
    void everySliceHasTheRowsItSays() {
        try (RecordBatch batch = batch()) {
            for (int from = 0; from <= 10; from++) {
                for (int count = 0; count <= 10 - from; count++) {
                    try (RecordBatch slice = batch.slice(from, count)) {
                        BigIntVector ids =
                                (BigIntVector) ((ColumnVector.Plain) slice.column(0)).vector();
                        assertThat(ids.getValueCount()).isEqualTo(count);
                        for (int i = 0; i < count; i++) {
                            assertThat(ids.isNull(i)).isEqualTo((from + i) % 3 == 0);
                        }
                    }
                }
            }
            assertThatThrownBy(() -> batch.slice(5, 6))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> batch.slice(-1, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void aBatchHasAsManyColumnsAndValuesAsItSays() {
        BigIntVector ids = new BigIntVector("id", allocator);
        ColumnVector column = new ColumnVector.Plain(ids);
        assertThatThrownBy(() -> new RecordBatch(SCHEMA, List.of(column), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RecordBatch(SCHEMA, List.of(column, column), 1))
                .isInstanceOf(IllegalArgumentException.class);
        column.close();
    }

    @Test
    void aDictionaryIsFreedWithItsLastReferenceAndNotBefore() {
        VarCharVector words = new VarCharVector("word", allocator);
        words.allocateNew(16, 1);
        words.setValueCount(1);
        Dictionary dictionary = new Dictionary(words);
        dictionary.retain().release();
        assertThat(allocator.getAllocatedMemory()).isPositive();
        dictionary.release();
        assertThatThrownBy(dictionary::retain).isInstanceOf(IllegalStateException.class);
    }
}
