package io.spillway.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.TestValues;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.Streams;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Others ask for memory over and over, at different turns: also while partitions that fill more
 * than memory's first amount are read back, and while what comes of them goes to disk.
 */
class AskedBackTest {

    private static final int ROWS = 9_000;
    private static final int KEYS = 6_000;
    private static final int KEY_LENGTH = 1_200;
    private static final int INPUT_ROWS = 100;
    private static final int BATCH_ROWS = 20;

    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final RowSchema SCHEMA = TestValues.schema(TEXT);

    @TempDir Path folder;

    private static Object[] keys(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(row -> ("%0" + KEY_LENGTH + "d").formatted(row % KEYS))
                .toArray();
    }

    private static BatchStream input(BufferAllocator allocator) {
        List<RecordBatch> batches = new ArrayList<>();
        for (int from = 0; from < ROWS; from += INPUT_ROWS) {
            batches.add(TestValues.batch(allocator, TEXT, keys(from, from + INPUT_ROWS)));
        }
        return Streams.of(SCHEMA, batches);
    }

    private void assertEachKeyOnce(BlockingOperator operator, int period) {
        try (AggregateRig rig = new AggregateRig(folder, 64 << 20, 1, BATCH_ROWS)) {
            List<List<@Nullable Object>> rows =
                    rig.runAskingBack(
                            operator, input(rig.inputs()), turn -> turn % period == period - 1);
            assertThat(rows.stream().map(row -> Integer.parseInt("" + row.getFirst())))
                    .containsExactlyElementsOf(IntStream.range(0, KEYS).boxed().toList());
            assertThat(rig.spilled()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 7, 9, 11, 13, 17})
    void groups(int period) {
        assertEachKeyOnce(new AggregateOperator(SCHEMA, List.of(0), List.of(), SCHEMA), period);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 7, 9, 11, 13, 17})
    void distinct(int period) {
        assertEachKeyOnce(new DistinctOperator(SCHEMA, List.of(0)), period);
    }
}
