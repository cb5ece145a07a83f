package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.SpillwayException;
import io.spillway.rows.PlanModel.Layer;
import io.spillway.rows.PlanModel.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.AfterTry;

/**
 * The row-number law over every plan of row-local steps, whatever the source has learnt before: any
 * range of rows is what a full stream has there.
 */
class RowLawTest {

    private final SourceReading reading = new SourceReading(3);

    @AfterProperty
    void close() {
        reading.close();
    }

    @AfterTry
    void nothingIsLeft() {
        reading.nothingIsLeft();
    }

    @Provide
    Arbitrary<List<List<Integer>>> sizes() {
        return Arbitraries.frequencyOf(
                        Tuple.of(2, Arbitraries.just(0)),
                        Tuple.of(2, Arbitraries.just(1)),
                        Tuple.of(5, Arbitraries.integers().between(2, 40)),
                        Tuple.of(1, Arbitraries.integers().between(100, 300)))
                .list()
                .ofMaxSize(4)
                .list()
                .ofMaxSize(3);
    }

    @Provide
    Arbitrary<List<Layer>> layers() {
        return layers(2);
    }

    private Arbitrary<List<Layer>> layers(int depth) {
        return layer(depth).list().ofMaxSize(depth + 2);
    }

    private Arbitrary<Layer> layer(int depth) {
        Arbitrary<Long> seeds = Arbitraries.longs().between(0, 9);
        Arbitrary<Layer> keep =
                Arbitraries.integers()
                        .between(1, 5)
                        .flatMap(
                                m ->
                                        Arbitraries.integers()
                                                .between(0, m)
                                                .map(r -> new Layer.Keep(m, r)));
        Arbitrary<Layer> cut =
                Combinators.combine(
                                Arbitraries.longs().between(0, 120),
                                Arbitraries.oneOf(
                                        Arbitraries.longs().between(0, 200),
                                        Arbitraries.just(Long.MAX_VALUE)))
                        .as(Layer.Cut::new);
        Arbitrary<Layer> sample =
                Combinators.combine(Arbitraries.of(0.0, 0.1, 0.5, 1.0), seeds)
                        .as(Layer.SomeOf::new);
        Arbitrary<Layer> choose =
                Combinators.combine(Arbitraries.of(0L, 1L, 5L, 50L, 1L << 40), seeds)
                        .as(Layer.Choose::new);
        Arbitrary<Layer> plain =
                Arbitraries.frequencyOf(
                        Tuple.of(4, keep),
                        Tuple.of(2, Arbitraries.integers().between(0, 9).map(Layer.Add::new)),
                        Tuple.of(2, cut),
                        Tuple.of(2, Arbitraries.of(true, false).map(Layer.Explode::new)),
                        Tuple.of(2, Arbitraries.of(0L, 7L).map(Layer.Numbers::new)),
                        Tuple.of(1, sample),
                        Tuple.of(1, choose),
                        Tuple.of(
                                1,
                                Arbitraries.of(
                                        new Layer.Repartition(3, 0),
                                        new Layer.Repartition(0, 10))));
        if (depth == 0) {
            return plain;
        }
        Arbitrary<Layer> union =
                Combinators.combine(sizes(), layers(depth - 1), Arbitraries.of(true, false))
                        .as(Layer.Union::new);
        return Arbitraries.frequencyOf(Tuple.of(6, plain), Tuple.of(1, union));
    }

    @Property(tries = 80)
    void anyRangeIsWhatAFullStreamHasThereWhateverIsKnown(
            @ForAll("sizes") List<List<Integer>> sizes,
            @ForAll("layers") List<Layer> layers,
            @ForAll @IntRange(min = 1, max = 3) int parallelism,
            @ForAll Random random) {
        reading.parallelism(parallelism);
        PlanModel model = PlanModel.of(sizes, layers);
        List<Row> expected = model.rows();

        RowSource counted = RowSources.of(model.plan());
        checkRanges(counted, expected, random, 2);
        reading.count(counted, random.nextLong(expected.size() + 2L), random.nextInt(20));
        checkRanges(counted, expected, random, 2);
        long upTo = random.nextLong(expected.size() + 2L);
        reading.count(counted, upTo);
        assertThat(counted.reaches(upTo)).isTrue();
        checkRanges(counted, expected, random, 2);
        reading.count(counted, Long.MAX_VALUE);
        checkKnown(counted, expected);
        checkRanges(counted, expected, random, 3);
        assertThat(reading.rows(counted, 0, Long.MAX_VALUE)).isEqualTo(expected);

        RowSource taught = RowSources.of(model.plan());
        String counts = counted.counts();
        if (counts != null) {
            taught.learn(counts);
            assertThat(taught.counts()).isNotNull();
        }
        checkKnown(taught, expected);
        checkRanges(taught, expected, random, 3);
    }

    @Property(tries = 60)
    void aFullStreamTeachesAllThatCountingWould(
            @ForAll("sizes") List<List<Integer>> sizes, @ForAll("layers") List<Layer> layers) {
        PlanModel model = PlanModel.of(sizes, layers);
        RowSource source = RowSources.of(model.plan());
        RowSource taught = RowSources.of(model.plan());
        assertThat(reading.rows(source, 0, Long.MAX_VALUE)).isEqualTo(model.rows());

        if (layers.stream().noneMatch(RowLawTest::leavesRows)) {
            checkKnown(source, model.rows());
        }
        reading.count(source, Long.MAX_VALUE);
        checkKnown(source, model.rows());
        String counts = source.counts();
        if (counts != null) {
            taught.learn(counts);
        }
        checkKnown(taught, model.rows());
    }

    /** Rows below may be left unread that nobody has asked for. */
    private static boolean leavesRows(Layer layer) {
        return layer instanceof Layer.Cut || layer instanceof Layer.Union;
    }

    @Property(tries = 40)
    void whatWasLearntOfAnotherPlanIsRefused(
            @ForAll("sizes") List<List<Integer>> sizes,
            @ForAll("layers") List<Layer> layers,
            @ForAll Random random) {
        RowSource source = RowSources.of(PlanModel.of(sizes, layers).plan());
        reading.count(source, Long.MAX_VALUE);
        String counts = source.counts();
        if (counts == null || source.partitions() == 0) {
            return;
        }
        List<Layer> others = new ArrayList<>(layers);
        others.add(new Layer.Keep(2, 1));
        RowSource other = RowSources.of(PlanModel.of(sizes, others).plan());
        assertThatThrownBy(() -> other.learn(counts)).isInstanceOf(SpillwayException.class);
        assertThat(other.rowsPlaced()).isZero();

        RowSource fresh = RowSources.of(PlanModel.of(sizes, layers).plan());
        int at = random.nextInt(counts.length());
        char changed = counts.charAt(at) == 'A' ? 'B' : 'A';
        String damaged = counts.substring(0, at) + changed + counts.substring(at + 1);
        if (!sameBytes(counts, damaged)) {
            assertThatThrownBy(() -> fresh.learn(damaged)).isInstanceOf(SpillwayException.class);
        }
        assertThatThrownBy(() -> fresh.learn(counts.substring(0, at)))
                .isInstanceOf(SpillwayException.class);
    }

    /** The last letter of base64 may have bits that mean nothing. */
    private static boolean sameBytes(String one, String other) {
        try {
            return Arrays.equals(
                    Base64.getDecoder().decode(one), Base64.getDecoder().decode(other));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void checkKnown(RowSource source, List<Row> expected) {
        assertThat(source.rowCount()).hasValue(expected.size());
        assertThat(source.rowsPlaced()).isEqualTo(expected.size());
        assertThat(source.reaches(Long.MAX_VALUE)).isTrue();
    }

    private void checkRanges(RowSource source, List<Row> expected, Random random, int times) {
        for (int i = 0; i < times; i++) {
            long from = random.nextInt(expected.size() + 3);
            long to = random.nextInt(4) == 0 ? Long.MAX_VALUE : from + random.nextInt(40);
            Ending ending = random.nextBoolean() ? Ending.STOP : Ending.PEEK;
            assertThat(reading.rows(source, from, to, ending))
                    .as("rows %d to %d", from, to)
                    .isEqualTo(expected.stream().skip(from).limit(to - from).toList());
            long known = source.rowCount().orElse(-1);
            if (known >= 0) {
                assertThat(known).isEqualTo(expected.size());
            } else if (ending == Ending.PEEK) {
                assertThat(to)
                        .as("the end was reached, but not learnt")
                        .isLessThan(expected.size());
            }
            assertThat(source.rowsAtLeast()).isLessThanOrEqualTo(expected.size());
            assertThat(source.rowsPlaced()).isLessThanOrEqualTo(expected.size());
        }
    }
}
