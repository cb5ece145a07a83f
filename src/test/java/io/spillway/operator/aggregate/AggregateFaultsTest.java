package io.spillway.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.operator.BlockingOperator;
import io.spillway.spill.FaultyDisk;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail at the n-th call: the exact result or a clean error, and nothing is left. */
class AggregateFaultsTest {

    private static final int ROWS = 6_000;

    @TempDir Path folder;

    @Test
    void groups() {
        groups(6);
    }

    @Test
    @Tag("long")
    void groupsAtAnyCall() {
        groups(Integer.MAX_VALUE);
    }

    private void groups(int dense) {
        AggregateCase of = of(2, ROWS);
        check(of, of.operator(), of.expected(), 3 << 20, dense);
    }

    @Test
    void firstRows() {
        firstRows(3);
    }

    @Test
    @Tag("long")
    void firstRowsAtAnyCall() {
        firstRows(Integer.MAX_VALUE);
    }

    private void firstRows(int dense) {
        AggregateCase of = of(3, 4 * ROWS);
        List<Integer> keys = List.of(0, 2);
        check(
                of,
                new DistinctOperator(of.schema(), keys),
                NaiveAggregate.distinct(of.rows(), keys),
                1 << 20,
                dense);
    }

    private static AggregateCase of(long seed, int rows) {
        for (long next = seed * 1_000; ; next++) {
            AggregateCase of =
                    AggregateCase.random(
                            List.of(
                                    AggregateFunction.SUM,
                                    AggregateFunction.MAX,
                                    AggregateFunction.LAST,
                                    AggregateFunction.PERCENTILE_DISC),
                            rows,
                            rows,
                            next);
            if (of.keys().contains(0) && of.rows().size() > rows / 2 && !of.calls().isEmpty()) {
                return of;
            }
        }
    }

    /**
     * Faults at every call, or fewer and fewer.
     *
     * @param dense about how many calls in a row are struck before the first one is left out
     */
    private void check(
            AggregateCase of,
            BlockingOperator operator,
            List<List<@Nullable Object>> expected,
            long memory,
            int dense) {
        boolean struck = true;
        int failures = 0;
        for (int call = 0; struck; call += 1 + call / dense) {
            for (FaultyDisk.Fault fault : FaultyDisk.Fault.values()) {
                FaultyDisk disk = new FaultyDisk(call, fault);
                try (AggregateRig rig = new AggregateRig(disk.manager(folder), memory, 1, 200)) {
                    boolean failed = false;
                    try {
                        assertThat(rig.run(operator, of.input(300, rig.inputs())))
                                .isEqualTo(expected);
                    } catch (SpillwayException e) {
                        failed = true;
                        failures++;
                        assertThat(e.code())
                                .isIn(
                                        ErrorCode.DISK_FULL,
                                        ErrorCode.WRITE_FAILED,
                                        ErrorCode.READ_FAILED);
                    }
                    rig.deleteWhatIsLeft();
                    assertThat(rig.isEmpty()).isTrue();
                    disk.mended();
                    if (failed) {
                        assertThat(rig.run(operator, of.input(300, rig.inputs())))
                                .as("the next query")
                                .isEqualTo(expected);
                    }
                }
                struck = disk.hasStruck();
            }
        }
        assertThat(failures).isPositive();
    }
}
