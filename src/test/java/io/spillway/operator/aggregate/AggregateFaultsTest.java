package io.spillway.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.operator.BlockingOperator;
import io.spillway.spill.FaultyDisk;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that fail at the n-th call: the exact result or a clean error, and nothing is left. */
class AggregateFaultsTest {

    private static final int ROWS = 6_000;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(longs = {2})
    void groups(long seed) {
        AggregateCase of = of(seed, ROWS);
        check(of, of.operator(), of.expected(), 3 << 20);
    }

    @ParameterizedTest
    @ValueSource(longs = {3})
    void firstRows(long seed) {
        AggregateCase of = of(seed, 4 * ROWS);
        List<Integer> keys = List.of(0, 2);
        check(
                of,
                new DistinctOperator(of.schema(), keys),
                NaiveAggregate.distinct(of.rows(), keys),
                1 << 20);
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

    private void check(
            AggregateCase of,
            BlockingOperator operator,
            List<List<@Nullable Object>> expected,
            long memory) {
        boolean struck = true;
        int failures = 0;
        for (int call = 0; struck; call += 1 + call / 6) {
            for (boolean half : new boolean[] {false, true}) {
                FaultyDisk disk = new FaultyDisk(call, half);
                try (AggregateRig rig = new AggregateRig(disk.manager(folder), memory, 1, 200)) {
                    try {
                        assertThat(rig.run(operator, of.input(300, rig.inputs())))
                                .isEqualTo(expected);
                    } catch (SpillwayException e) {
                        failures++;
                        assertThat(e.code())
                                .isIn(
                                        ErrorCode.DISK_FULL,
                                        ErrorCode.WRITE_FAILED,
                                        ErrorCode.READ_FAILED);
                    }
                    rig.deleteWhatIsLeft();
                }
                struck = disk.calls() > call;
            }
        }
        assertThat(failures).isPositive();
    }
}
