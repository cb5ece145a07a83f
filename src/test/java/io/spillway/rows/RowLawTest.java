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
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
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
        return RandomPlans.sizes();
    }

    @Provide
    Arbitrary<List<Layer>> layers() {
        return RandomPlans.layers(2);
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
