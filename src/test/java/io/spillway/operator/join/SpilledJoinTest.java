package io.spillway.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.spill.FaultyDisk;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Joins whose right side does not fit in memory. */
class SpilledJoinTest {

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

    private static JoinHarness.Setting small(Random random) {
        return new JoinHarness.Setting(
                4 << 20,
                (256 + random.nextInt(120)) << 10,
                1 + random.nextInt(3),
                1 + random.nextInt(300),
                1 + random.nextInt(100));
    }

    private void joinsAsTwoLoopsDo(int seeds) {
        int spilled = 0;
        for (long seed = 0; seed < seeds; seed++) {
            Random random = new Random(seed);
            for (JoinType type : JoinType.values()) {
                JoinCase join = JoinCase.random(type, 300, random);
                long before = harness.manager().written();
                assertThat(harness.run(join, small(random), random))
                        .as("%s of seed %s", type, seed)
                        .isEqualTo(join.expected());
                spilled += harness.manager().written() > before ? 1 : 0;
            }
        }
        assertThat(spilled).isGreaterThan(seeds);
    }

    @Test
    void joinsAsTwoLoopsDo() {
        joinsAsTwoLoopsDo(6);
    }

    @Test
    @Tag("long")
    void joinsAsTwoLoopsDoOftener() {
        joinsAsTwoLoopsDo(Integer.getInteger("seeds", 300));
    }

    /** Whatever a join is at, it gives its memory back when others need it, and goes on. */
    @ParameterizedTest
    @EnumSource(JoinType.class)
    void givesWay(JoinType type) {
        givesWay(type, 11);
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    @Tag("long")
    void givesWayAtAnyMoment(JoinType type) {
        givesWay(type, 1);
    }

    private void givesWay(JoinType type, int step) {
        JoinCase join = spilling(type);
        List<List<@Nullable Object>> expected = join.expected();
        for (int parallelism = 1; parallelism < 3; parallelism++) {
            for (int poll = type.name().length() % step; ; poll += step) {
                JoinHarness.Setting setting =
                        new JoinHarness.Setting(4 << 20, 4 << 20, parallelism, 16, 10, poll);
                assertThat(harness.run(join, setting, new Random(3)))
                        .as("asked at poll %s", poll)
                        .isEqualTo(expected);
                if (harness.polled() < poll) {
                    break;
                }
            }
        }
        assertThat(harness.manager().written()).isPositive();
    }

    private static JoinCase spilling(JoinType type) {
        Random random = new Random(type.name().length());
        while (true) {
            JoinCase join = JoinCase.random(type, 100, random);
            if (!join.keys().isEmpty() && join.right().size() > 50 && join.left().size() > 50) {
                return join;
            }
        }
    }

    private static final JoinHarness.Setting TINY =
            new JoinHarness.Setting(4 << 20, 270 << 10, 2, 16, 30);

    @ParameterizedTest
    @EnumSource(JoinType.class)
    void closes(JoinType type) {
        closes(type, 11);
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    @Tag("long")
    void closesAtAnyPoll(JoinType type) {
        closes(type, 1);
    }

    private void closes(JoinType type, int step) {
        JoinCase join = spilling(type);
        List<List<@Nullable Object>> expected = join.expected();
        for (int polls = type.name().length() % step; ; polls += step) {
            List<List<@Nullable Object>> rows = harness.run(join, TINY, new Random(3), polls);
            assertThat(rows).isEqualTo(expected.subList(0, rows.size()));
            if (harness.polled() < polls) {
                break;
            }
        }
        assertThat(harness.manager().written()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    void aFaultOfTheDiskGivesTheRowsOrACleanProblem(JoinType type) {
        faults(type, 5);
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    @Tag("long")
    void aFaultAtAnyCallGivesTheRowsOrACleanProblem(JoinType type) {
        faults(type, 1);
    }

    private void faults(JoinType type, int step) {
        JoinCase join = spilling(type);
        List<List<@Nullable Object>> expected = join.expected();
        for (FaultyDisk.Fault fault : FaultyDisk.Fault.values()) {
            boolean struck = true;
            int failed = 0;
            for (int n = type.name().length() % step; struck; n += step) {
                FaultyDisk disk = new FaultyDisk(n, fault);
                try (JoinHarness faulty = new JoinHarness(disk.manager(folder.resolve("faulty")))) {
                    try {
                        assertThat(faulty.run(join, TINY, new Random(3))).isEqualTo(expected);
                    } catch (SpillwayException e) {
                        assertThat(e.code())
                                .isIn(
                                        ErrorCode.DISK_FULL,
                                        ErrorCode.READ_FAILED,
                                        ErrorCode.WRITE_FAILED);
                        failed++;
                    }
                    struck = disk.hasStruck();
                    disk.mended();
                    assertThat(faulty.run(join, TINY, new Random(3)))
                            .as("the next query")
                            .isEqualTo(expected);
                }
            }
            assertThat(failed).isPositive();
        }
    }
}
