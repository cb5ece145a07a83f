package io.spillway.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void joinsAsTwoLoopsDo() {
        int spilled = 0;
        for (long seed = 0; seed < Integer.getInteger("seeds", 40); seed++) {
            Random random = new Random(seed);
            for (JoinType type : JoinType.values()) {
                JoinCase join = JoinCase.random(type, 300, random);
                long before = harness.manager().written();
                JoinHarness.Setting setting =
                        new JoinHarness.Setting(
                                4 << 20,
                                (256 + random.nextInt(120)) << 10,
                                1 + random.nextInt(3),
                                1 + random.nextInt(300),
                                1 + random.nextInt(100));
                assertThat(harness.run(join, setting, random))
                        .as("%s of seed %s", type, seed)
                        .isEqualTo(join.expected());
                spilled += harness.manager().written() > before ? 1 : 0;
            }
        }
        System.out.println("spilled " + spilled);
        assertThat(spilled).isPositive();
    }
}
