package io.spillway.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.spill.FaultyDisk;
import io.spillway.spill.FaultyDisk.Fault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Joins on disk whose left rows are looked up by several lanes, and in blocks. */
class LeftOrderTest {

    private static final int BATCH_ROWS = 2_048;

    /** Left rows: most have one or two matches, every 100th has none, and there is a hot key. */
    private static final long LEFTS = 24_000;

    private static final long RIGHTS = 20_000;
    @TempDir Path folder;
    private JoinHarness harness;

    @BeforeEach
    void start() {
        harness = new JoinHarness(folder);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private static long leftKey(long row) {
        return row % 100 == 7 ? LargeJoins.NULL : row % 50 == 3 ? 11 : row * 7_919 % 16_000;
    }

    private static long rightKey(long row) {
        return row % 1_000 == 5 ? LargeJoins.NULL : row * 31 % 12_000;
    }

    /** A pool that is large enough for many lanes, of which a neighbour leaves so much. */
    private static JoinHarness.Setting setting(long left, int parallelism) {
        return new JoinHarness.Setting(128 << 20, left, parallelism, BATCH_ROWS, BATCH_ROWS);
    }

    private static JoinOperator join(JoinType type) {
        RowSchema left = LargeJoins.schema("l");
        RowSchema right = LargeJoins.schema("r");
        List<ColumnSchema> columns = new ArrayList<>(left.columns());
        if (type.hasRight()) {
            columns.addAll(right.columns());
        }
        return new JoinOperator(
                type, List.of(new JoinKey(0, 0, false)), null, left, right, new RowSchema(columns));
    }

    private static Function<BufferAllocator, List<BatchStream>> tables(long lefts, long rights) {
        return allocator ->
                List.of(
                        LargeJoins.table(
                                "l", lefts, LeftOrderTest::leftKey, i -> i, BATCH_ROWS, allocator),
                        LargeJoins.table(
                                "r",
                                rights,
                                LeftOrderTest::rightKey,
                                i -> i,
                                BATCH_ROWS,
                                allocator));
    }

    /** All values that come out, in order. */
    private static final class Values {

        private long rows;
        private long hash;

        void add(RecordBatch batch) {
            for (int i = 0; i < batch.rowCount(); i++) {
                for (int c = 0; c < batch.schema().size(); c++) {
                    hash = hash * 0x9E3779B97F4A7C15L + LargeJoins.get(batch, c, i);
                }
            }
            rows += batch.rowCount();
        }

        @Override
        public String toString() {
            return rows + " rows, hash " + hash;
        }
    }

    private String run(JoinType type, long lefts, long rights, JoinHarness.Setting setting) {
        Values values = new Values();
        harness.run(join(type), tables(lefts, rights), setting, values::add);
        return values.toString();
    }

    /** The same rows in memory and on disk, with one lane and with many. */
    @ParameterizedTest
    @EnumSource(JoinType.class)
    void lanesChangeNothing(JoinType type) {
        String inMemory = run(type, LEFTS, RIGHTS, setting(64 << 20, 2));
        assertThat(harness.manager().written()).isZero();
        for (int parallelism : new int[] {1, 2, 8}) {
            long before = harness.manager().written();
            assertThat(run(type, LEFTS, RIGHTS, setting(1 << 20, parallelism)))
                    .as("%s lanes", parallelism)
                    .isEqualTo(inMemory);
            assertThat(harness.manager().written()).isGreaterThan(before);
        }
    }

    /** Right sides that just fit, just do not, and take more and more blocks. */
    @Test
    void aroundWhatFits() {
        for (JoinType type : List.of(JoinType.LEFT, JoinType.FULL, JoinType.ANTI)) {
            for (long rights = 500; rights < 40_000; rights = rights * 2) {
                assertThat(run(type, 3_000, rights, setting(1 << 20, 2)))
                        .as("%s of %s rows", type, rights)
                        .isEqualTo(run(type, 3_000, rights, setting(64 << 20, 2)));
            }
        }
        assertThat(harness.manager().written()).isPositive();
    }

    @Test
    void oneSideIsEmpty() {
        for (JoinType type : JoinType.values()) {
            for (long[] rows : new long[][] {{0, RIGHTS}, {LEFTS, 0}, {1, RIGHTS}}) {
                assertThat(run(type, rows[0], rows[1], setting(1 << 20, 2)))
                        .as("%s of %s and %s rows", type, rows[0], rows[1])
                        .isEqualTo(run(type, rows[0], rows[1], setting(64 << 20, 2)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    void closesWhileLanesWork(JoinType type) {
        closes(type, 111);
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    @Tag("long")
    void closesWhileLanesWorkAtMostPolls(JoinType type) {
        closes(type, 7);
    }

    /** The harness looks whether all memory and all files are gone. */
    private void closes(JoinType type, int step) {
        for (int polls = type.name().length(); ; polls += step) {
            harness.run(join(type), tables(3_000, RIGHTS), setting(1 << 20, 2), batch -> {}, polls);
            if (harness.polled() < polls) {
                break;
            }
        }
        assertThat(harness.manager().written()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    void aFaultOfTheDiskUnderLanes(JoinType type) {
        faults(type, 157);
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    @Tag("long")
    void aFaultOfTheDiskUnderLanesAtMostCalls(JoinType type) {
        faults(type, 3);
    }

    private void faults(JoinType type, int step) {
        String expected = run(type, 3_000, RIGHTS, setting(64 << 20, 2));
        boolean struck = true;
        int failed = 0;
        for (int n = type.name().length(); struck; n += step) {
            FaultyDisk disk = new FaultyDisk(n, n % 2 == 0 ? Fault.SHORT : Fault.FAILED);
            Values values = new Values();
            try (JoinHarness faulty = new JoinHarness(disk.manager(folder.resolve("faulty")))) {
                faulty.run(join(type), tables(3_000, RIGHTS), setting(1 << 20, 2), values::add);
                assertThat(values.toString()).isEqualTo(expected);
            } catch (SpillwayException e) {
                assertThat(e.code())
                        .isIn(ErrorCode.DISK_FULL, ErrorCode.READ_FAILED, ErrorCode.WRITE_FAILED);
                failed++;
            }
            struck = disk.hasStruck();
        }
        assertThat(failed).isPositive();
    }
}
