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
    @ValueSource(longs = {1, 2, 5, 11})
    void groups(long seed) {
        AggregateCase of = of(seed);
        check(of, of.operator(), of.expected());
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4})
    void firstRows(long seed) {
        AggregateCase of = of(seed);
        List<Integer> keys = List.of(0, 2);
        check(
                of,
                new DistinctOperator(of.schema(), keys),
                NaiveAggregate.distinct(of.rows(), keys));
    }

    private static AggregateCase of(long seed) {
        for (long next = seed * 1_000; ; next++) {
            AggregateCase of =
                    AggregateCase.random(
                            List.of(
                                    AggregateFunction.SUM,
                                    AggregateFunction.MAX,
                                    AggregateFunction.LAST,
                                    AggregateFunction.PERCENTILE_DISC),
                            ROWS,
                            ROWS,
                            next);
            if (of.keys().contains(0) && of.rows().size() > ROWS / 2 && !of.calls().isEmpty()) {
                return of;
            }
        }
    }

    private void check(
            AggregateCase of, BlockingOperator operator, List<List<@Nullable Object>> expected) {
        boolean struck = true;
        int failures = 0;
        for (int call = 0; struck; call += 1 + call / 16) {
            for (boolean half : new boolean[] {false, true}) {
                FaultyDisk disk = new FaultyDisk(call, half);
                try (AggregateRig rig = new AggregateRig(disk.manager(folder), 3 << 20, 1, 200)) {
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
