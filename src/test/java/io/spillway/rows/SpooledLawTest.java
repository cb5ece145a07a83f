package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.rows.PlanModel.Layer;
import io.spillway.rows.PlanModel.Row;
import io.spillway.spool.SpoolManager;
import io.spillway.testing.SpillFolders;
import io.spillway.testing.SpoolFolders;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * The row-number law over plans that are computed once: below, between and above steps that sort
 * are steps of all other kinds.
 */
@SuppressWarnings("NullAway.Init") // set before all properties
class SpooledLawTest {

    private static ExecutorService waiting;
    private static SpoolManager spools;

    private final SourceReading reading = new SourceReading(3);

    @BeforeContainer
    static void open() {
        waiting = Executors.newVirtualThreadPerTaskExecutor();
        spools = SpoolFolders.manager(SpillFolders.folder().resolve("law"), waiting);
    }

    @AfterContainer
    static void close() {
        waiting.close();
    }

    @AfterProperty
    void closeReading() {
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
        Arbitrary<Layer> sort = Arbitraries.of(true, false).map(Layer.Sort::new);
        Arbitrary<List<Layer>> sorted =
                Combinators.combine(RandomPlans.layers(1), sort, RandomPlans.layers(1))
                        .as(
                                (below, step, above) -> {
                                    List<Layer> all = new ArrayList<>(below);
                                    all.add(step);
                                    all.addAll(above);
                                    return all;
                                });
        Arbitrary<List<Layer>> twice = sorted.list().ofSize(2).map(SpooledLawTest::joined);
        Arbitrary<List<Layer>> beside =
                Combinators.combine(
                                sorted,
                                RandomPlans.sizes(),
                                sorted,
                                Arbitraries.of(true, false),
                                RandomPlans.layers(0))
                        .as(
                                (layers, sizes, others, first, above) -> {
                                    List<Layer> all = new ArrayList<>(layers);
                                    all.add(new Layer.Union(sizes, others, first));
                                    all.addAll(above);
                                    return all;
                                });
        return Arbitraries.oneOf(sorted, twice, beside);
    }

    private static List<Layer> joined(List<List<Layer>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }

    @Property(tries = 100)
    void anyRangeIsWhatAFullStreamHasThere(
            @ForAll("sizes") List<List<Integer>> sizes,
            @ForAll("layers") List<Layer> layers,
            @ForAll @IntRange(min = 1, max = 3) int parallelism,
            @ForAll Random random) {
        reading.parallelism(parallelism);
        PlanModel model = PlanModel.of(sizes, layers);
        List<Row> expected = model.rows();
        String job = UUID.randomUUID().toString();

        RowSource source = RowSources.of(model.plan(), spools.job(job));
        assertThat(source.reaches(0)).isFalse();
        assertThat(source.rowCount()).isEmpty();
        assertThat(source.counts()).isNull();
        if (random.nextBoolean()) {
            reading.count(source, random.nextLong(expected.size() + 2L), random.nextInt(20));
        }
        if (random.nextBoolean()) {
            reading.count(source, 0);
            assertThat(source.reaches(0)).isTrue();
        }
        check(source, expected, random);
        reading.count(source, Long.MAX_VALUE);
        checkKnown(source, expected);
        check(source, expected, random);
        assertThat(reading.rows(source, 0, Long.MAX_VALUE)).isEqualTo(expected);

        RowSource again = RowSources.of(model.plan(), spools.job(job));
        again.learn(String.valueOf(source.counts()));
        reading.count(again, 0);
        checkKnown(again, expected);
        check(again, expected, random);
    }

    private static void checkKnown(RowSource source, List<Row> expected) {
        assertThat(source.rowCount()).isEqualTo(OptionalLong.of(expected.size()));
        assertThat(source.reaches(Long.MAX_VALUE)).isTrue();
        assertThat(source.counts()).isNotNull();
    }

    private void check(RowSource source, List<Row> expected, Random random) {
        for (int i = 0; i < 3; i++) {
            long from = random.nextInt(expected.size() + 3);
            long to = random.nextInt(4) == 0 ? Long.MAX_VALUE : from + random.nextInt(40);
            Ending ending = random.nextBoolean() ? Ending.STOP : Ending.PEEK;
            assertThat(reading.rows(source, from, to, ending))
                    .as("rows %d to %d", from, to)
                    .isEqualTo(expected.stream().skip(from).limit(to - from).toList());
        }
    }
}
