package io.spillway.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.TestValues;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.Streams;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When memory is asked back, what has come out does not come again, and nothing is lost. */
class KeyedLevelTest {

    private static final int ROWS = 100;
    private static final int BATCH_ROWS = 10;

    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final RowSchema INPUT = TestValues.schema(INT64);

    private static final KeyedOperation GROUPS =
            new Aggregation(INPUT, List.of(0), List.of(), INPUT);
    private static final KeyedOperation DISTINCT = new DistinctOperator.Work(INPUT, List.of(0));

    @TempDir Path folder;

    /** Keys, and the numbers of their rows. */
    private static List<List<@Nullable Object>> rows() {
        return Stream.iterate(BigInteger.ZERO, BigInteger.ONE::add)
                .limit(ROWS)
                .map(value -> List.<@Nullable Object>of(value, value))
                .toList();
    }

    private AggregateRig rig() {
        return new AggregateRig(folder, 64 << 20, 1, BATCH_ROWS);
    }

    private static void addRows(KeyedLevel level, AggregateRig rig) {
        Object[] keys = rows().stream().map(List::getFirst).toArray();
        try (RecordBatch batch = TestValues.batch(rig.inputs(), INT64, keys)) {
            level.add(new NumberedRows(batch, 0, 0));
        }
    }

    /** Asks for all memory there is, once, and lets the level give way. */
    private static void askBack(KeyedLevel level, FlooredMemory memory, AggregateRig rig) {
        CompletableFuture<MemoryReservation> other = rig.pool().admit(rig.pool().limit() / 2);
        assertThat(memory.revoked()).isDone();
        level.giveWayIfAsked();
        if (!other.cancel(false)) {
            other.join().close();
        }
    }

    private static boolean takeNext(
            KeyedLevel level, boolean ended, List<List<@Nullable Object>> to) {
        try (RecordBatch batch = level.next(ended)) {
            if (batch != null) {
                to.addAll(Streams.rows(batch));
            }
            return batch != null;
        }
    }

    private static void takeAll(KeyedLevel level, boolean ended, List<List<@Nullable Object>> to) {
        while (takeNext(level, ended, to)) {
            Thread.onSpinWait();
        }
    }

    /** What comes of partitions, in no order. */
    private static List<List<@Nullable Object>> read(
            List<Partition> partitions,
            KeyedOperation operation,
            FlooredMemory memory,
            AggregateRig rig) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Partition partition : partitions) {
            try (PartitionReader reader = new PartitionReader(partition, rig.pool().allocator());
                    KeyedLevel level =
                            new KeyedLevel(operation, reader.level() + 1, memory, rig.context())) {
                while (!reader.isAtEnd()) {
                    reader.addNext(level);
                }
                takeAll(level, true, rows);
                assertThat(level.finish()).isEmpty();
            }
        }
        return rows;
    }

    @Test
    void groupsOfWhichSomeHaveComeOutStay() {
        try (AggregateRig rig = rig();
                MemoryHolding holding = rig.pool().hold("keys")) {
            FlooredMemory memory = new FlooredMemory(0, holding);
            List<List<@Nullable Object>> rows = new ArrayList<>();
            try (KeyedLevel level = new KeyedLevel(GROUPS, 1, memory, rig.context())) {
                addRows(level, rig);
                assertThat(takeNext(level, true, rows)).isTrue();
                assertThat(rows).hasSize(BATCH_ROWS);
                askBack(level, memory, rig);
                takeAll(level, true, rows);
                rows.addAll(read(level.finish(), GROUPS, memory, rig));
            }
            assertThat(rows).isEqualTo(rows());
            assertThat(rig.spilled()).isZero();
        }
    }

    @Test
    void groupsOfWhichNoneHasComeOutGiveWay() {
        try (AggregateRig rig = rig();
                MemoryHolding holding = rig.pool().hold("keys")) {
            FlooredMemory memory = new FlooredMemory(0, holding);
            List<List<@Nullable Object>> rows = new ArrayList<>();
            try (KeyedLevel level = new KeyedLevel(GROUPS, 1, memory, rig.context())) {
                addRows(level, rig);
                askBack(level, memory, rig);
                assertThat(memory.held()).isZero();
                addRows(level, rig);
                assertThat(takeNext(level, true, rows)).isFalse();
                rows.addAll(read(level.finish(), GROUPS, memory, rig));
            }
            assertThat(rows).containsExactlyInAnyOrderElementsOf(rows());
            assertThat(rig.spilled()).isPositive();
        }
    }

    @Test
    void rowsThatWereToComeOutStillDo() {
        try (AggregateRig rig = rig();
                MemoryHolding holding = rig.pool().hold("keys")) {
            FlooredMemory memory = new FlooredMemory(0, holding);
            List<List<@Nullable Object>> rows = new ArrayList<>();
            try (KeyedLevel level = new KeyedLevel(DISTINCT, 1, memory, rig.context())) {
                addRows(level, rig);
                askBack(level, memory, rig);
                assertThat(memory.held()).isZero();
                addRows(level, rig);
                takeAll(level, true, rows);
                rows.addAll(read(level.finish(), DISTINCT, memory, rig));
            }
            assertThat(rows).isEqualTo(rows());
            assertThat(rig.spilled()).isPositive();
        }
    }
}
