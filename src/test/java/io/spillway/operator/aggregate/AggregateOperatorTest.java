package io.spillway.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Aggregations of random rows against naive ones. */
class AggregateOperatorTest {

    private static final List<AggregateFunction> SIMPLE =
            List.of(
                    AggregateFunction.COUNT,
                    AggregateFunction.COUNT_ROWS,
                    AggregateFunction.SUM,
                    AggregateFunction.AVG,
                    AggregateFunction.MIN,
                    AggregateFunction.MAX,
                    AggregateFunction.VAR_SAMP,
                    AggregateFunction.STDDEV_POP,
                    AggregateFunction.BOOL_AND,
                    AggregateFunction.BOOL_OR,
                    AggregateFunction.FIRST,
                    AggregateFunction.LAST,
                    AggregateFunction.ANY_VALUE);

    @Property(tries = 200)
    void simple(@ForAll long seed) throws Exception {
        Path folder = Files.createTempDirectory("agg");
        AggregateCase of0 = AggregateCase.random(SIMPLE, 300, 40, seed);
        AggregateCase of =
                new AggregateCase(
                        of0.schema(),
                        of0.rows(),
                        of0.keys(),
                        of0.calls().stream()
                                .map(
                                        c ->
                                                new AggregateCall(
                                                        c.function(),
                                                        c.arguments(),
                                                        false,
                                                        c.filter(),
                                                        c.order(),
                                                        c.parameters(),
                                                        c.type()))
                                .toList(),
                        of0.output(),
                        seed);
        try (AggregateRig rig = new AggregateRig(folder, 64 << 20, 1, 50)) {
            assertThat(rig.run(of.operator(), of.input(40, rig.pool().allocator())))
                    .as("%s", of)
                    .isEqualTo(of.expected());
            assertThat(rig.spilled()).isZero();
        }
        try (AggregateRig rig = new AggregateRig(folder, 64 << 20, 1, 50)) {
            rig.hog(KeyedStream.FLOOR + (256 << 10) + 100);
            assertThat(rig.run(of.operator(), of.input(40, rig.pool().allocator())))
                    .as("%s", of)
                    .isEqualTo(of.expected());
        }
        try (AggregateRig rig = new AggregateRig(folder, 64 << 20, 1, 50)) {
            assertThat(
                            rig.run(
                                    new DistinctOperator(of.schema(), of.keys()),
                                    of.input(40, rig.pool().allocator())))
                    .isEqualTo(NaiveAggregate.distinct(of.rows(), of.keys()));
        }
    }
}
