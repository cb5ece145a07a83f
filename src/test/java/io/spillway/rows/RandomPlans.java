package io.spillway.rows;

import io.spillway.rows.PlanModel.Layer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** What plans are made of, drawn at random. */
final class RandomPlans {

    private RandomPlans() {}

    /** Rows of the partitions of some files. */
    static Arbitrary<List<List<Integer>>> sizes() {
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

    /** Row-local steps, with unions so deep. */
    static Arbitrary<List<Layer>> layers(int depth) {
        return layer(depth).list().ofMaxSize(depth + 2);
    }

    private static Arbitrary<Layer> layer(int depth) {
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
}
