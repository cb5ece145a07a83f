package io.spillway.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.operator.BlockingOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Aggregations of random rows against naive ones, in any memory and on any number of threads. */
class AggregateOperatorTest {

    private static final long MEMORY = 64 << 20;
    private static final int BATCH_ROWS = 50;

    private static final List<AggregateFunction> FUNCTIONS =
            List.copyOf(
                    EnumSet.complementOf(
                            EnumSet.of(
                                    AggregateFunction.SINGLE_VALUE,
                                    AggregateFunction.APPROX_COUNT_DISTINCT)));

    private static final List<AggregateFunction> ONE_STEP =
            FUNCTIONS.stream()
                    .filter(
                            function ->
                                    switch (function) {
                                        case ARRAY_AGG, PERCENTILE_CONT, PERCENTILE_DISC -> false;
                                        default -> true;
                                    })
                    .toList();

    private static Path folder = Path.of("");

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("aggregate");
    }

    @AfterContainer
    static void folderIsEmpty() throws IOException {
        Files.deleteIfExists(folder.resolve(".lock"));
        Files.delete(folder);
    }

    private static AggregateRig rig(int threads) {
        return new AggregateRig(folder, MEMORY, threads, BATCH_ROWS);
    }

    /** In memory in which all parts of any aggregation begin side by side. */
    @Property(tries = 60)
    void everyFunction(@ForAll long seed) {
        AggregateCase of = AggregateCase.random(FUNCTIONS, 300, 40, seed);
        try (AggregateRig rig = new AggregateRig(folder, 4 * MEMORY, 2, BATCH_ROWS)) {
            assertThat(rig.run(of.operator(), of.input(40, rig.inputs())))
                    .as("%s", of)
                    .isEqualTo(of.expected());
            assertThat(rig.spilled()).isZero();
        }
    }

    @Property(tries = 8)
    void withLittleMemory(@ForAll long seed) {
        AggregateCase of = AggregateCase.random(FUNCTIONS, 12_000, 10_000, seed);
        List<List<@Nullable Object>> expected = of.expected();
        try (AggregateRig rig = new AggregateRig(folder, 6 << 20, 1, BATCH_ROWS)) {
            assertThat(rig.run(of.operator(), of.input(300, rig.inputs())))
                    .as("seed %s", seed)
                    .isEqualTo(expected);
        }
    }

    /** Calls that one step computes, in no memory but what it has in any case. */
    @Property(tries = 8)
    void inHardlyAnyMemory(@ForAll long seed) {
        AggregateCase of = AggregateCase.random(ONE_STEP, 20_000, 20_000, seed).withoutDistinct();
        List<List<@Nullable Object>> expected = of.expected();
        try (AggregateRig rig = rig(1)) {
            rig.hog(KeyedStream.FLOOR + KeyedStream.TURN);
            assertThat(rig.run(of.operator(), of.input(300, rig.inputs())))
                    .as("seed %s", seed)
                    .isEqualTo(expected);
        }
    }

    /** Others ask for memory now and then, and all that is kept goes to disk. */
    @Property(tries = 8)
    void whereMemoryIsAskedBack(@ForAll long seed) {
        assertRightWhereMemoryIsAskedBack(seed);
    }

    /** Seeds by which memory is asked back while groups of a partition come out. */
    @Example
    void whereMemoryIsAskedBackWhileGroupsComeOut() {
        for (long seed : new long[] {23, 35, 181, 525}) {
            assertRightWhereMemoryIsAskedBack(seed);
        }
    }

    private static void assertRightWhereMemoryIsAskedBack(long seed) {
        AggregateCase of = AggregateCase.random(ONE_STEP, 20_000, 20_000, seed).withoutDistinct();
        boolean distinct = (seed & 1) == 0 && !of.keys().isEmpty();
        try (AggregateRig rig = rig(1)) {
            BlockingOperator operator =
                    distinct ? new DistinctOperator(of.schema(), of.keys()) : of.operator();
            assertThat(rig.runAskingBack(operator, of.input(300, rig.inputs()), seed))
                    .as("seed %s", seed)
                    .isEqualTo(
                            distinct
                                    ? NaiveAggregate.distinct(of.rows(), of.keys())
                                    : of.expected());
        }
    }

    @Property(tries = 4)
    void closedAtAnyPoll(@ForAll long seed) {
        AggregateCase of = AggregateCase.random(FUNCTIONS, 2_000, 1_000, seed);
        for (int polls = 0; polls < 400; polls += 1 + polls / 8) {
            try (AggregateRig rig = new AggregateRig(folder, 6 << 20, 2, BATCH_ROWS)) {
                rig.poll(of.operator(), of.input(100, rig.inputs()), polls);
            }
        }
    }

    @Property(tries = 40)
    void distinct(@ForAll long seed) {
        AggregateCase of = AggregateCase.random(FUNCTIONS, 300, 40, seed);
        DistinctOperator operator = new DistinctOperator(of.schema(), of.keys());
        try (AggregateRig rig = rig(1)) {
            assertThat(rig.run(operator, of.input(40, rig.inputs())))
                    .as("%s", of)
                    .isEqualTo(NaiveAggregate.distinct(of.rows(), of.keys()));
            assertThat(rig.spilled()).isZero();
        }
    }

    @Property(tries = 8)
    void distinctWithLittleMemory(@ForAll long seed) {
        AggregateCase of = AggregateCase.random(FUNCTIONS, 20_000, 20_000, seed);
        DistinctOperator operator = new DistinctOperator(of.schema(), of.keys());
        try (AggregateRig rig = rig(1)) {
            rig.hog(KeyedStream.FLOOR + KeyedStream.TURN);
            assertThat(rig.run(operator, of.input(300, rig.inputs())))
                    .as("seed %s", seed)
                    .isEqualTo(NaiveAggregate.distinct(of.rows(), of.keys()));
        }
    }
}
