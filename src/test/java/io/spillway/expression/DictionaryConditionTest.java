package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.Test;

/** A condition of one dictionary-encoded column is tested for entries, not for rows. */
class DictionaryConditionTest {

    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final int ROWS = 4_096;

    /** True for all; counts what it is asked for. */
    private static final class Counting implements Condition {

        private int tested;

        @Override
        public boolean total() {
            return true;
        }

        @Override
        public void test(Input input, Truth verdicts) {
            tested += input.rows();
            verdicts.fill(input.rows(), true);
        }
    }

    @Test
    void entriesAreTestedOnceForAllBatches() {
        Counting counting = new Counting();
        DictionaryCondition condition = new DictionaryCondition(counting, 0, TEXT);
        Truth verdicts = new Truth();
        try (BufferAllocator allocator = new RootAllocator()) {
            Dictionary dictionary = new Dictionary(entries(allocator, "a", "b", "c"));
            for (int batch = 0; batch < 10; batch++) {
                try (RecordBatch rows = batch(allocator, dictionary);
                        Input input = Input.of(rows, allocator, new Scratch())) {
                    condition.test(input, verdicts);
                }
            }
            dictionary.release();
        }
        // Three entries, and null.
        assertThat(counting.tested).isEqualTo(4);
    }

    private static VarCharVector entries(BufferAllocator allocator, String... texts) {
        VarCharVector entries = new VarCharVector("s", allocator);
        entries.allocateNew();
        for (int i = 0; i < texts.length; i++) {
            entries.setSafe(i, texts[i].getBytes(StandardCharsets.UTF_8));
        }
        entries.setValueCount(texts.length);
        return entries;
    }

    private static RecordBatch batch(BufferAllocator allocator, Dictionary dictionary) {
        IntVector indices = new IntVector("s", allocator);
        indices.allocateNew(ROWS);
        for (int i = 0; i < ROWS; i++) {
            indices.set(i, i % dictionary.size());
        }
        indices.setValueCount(ROWS);
        return new RecordBatch(
                new RowSchema(List.of(new ColumnSchema("s", TEXT, true))),
                List.of(new ColumnVector.Encoded(indices, dictionary.retain())),
                ROWS);
    }
}
