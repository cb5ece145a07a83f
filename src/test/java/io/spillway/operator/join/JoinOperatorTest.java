package io.spillway.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins of random tables against two loops. */
class JoinOperatorTest {

    private static final long PLENTY = 256L << 20;

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
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            for (JoinType type : JoinType.values()) {
                JoinCase join = JoinCase.random(type, 120, random);
                JoinHarness.Setting setting =
                        new JoinHarness.Setting(
                                PLENTY,
                                PLENTY,
                                1 + random.nextInt(3),
                                1 + random.nextInt(300),
                                1 + random.nextInt(100));
                assertThat(harness.run(join, setting, random))
                        .as("%s of seed %s", type, seed)
                        .isEqualTo(join.expected());
            }
        }
    }
}
