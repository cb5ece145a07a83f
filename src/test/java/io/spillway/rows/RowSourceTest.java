package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.execution.PartitionScheduler;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.ScanMetrics;
import io.spillway.testing.SpillFolders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.AfterTry;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The row-number law over every kind of source: any range of rows is what a full stream has there.
 */
class RowSourceTest {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    private final MemoryPool memory = MemoryPool.root(64 << 20);
    private final PartitionScheduler scheduler =
            new PartitionScheduler(3, Duration.ofMillis(20), memory::isShort);
    private final SequenceFormat format = new SequenceFormat();

    @AfterEach
    @AfterProperty
    void close() {
        scheduler.close();
        memory.close();
    }

    @AfterTry
    void nothingIsLeft() {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(5))
                .until(() -> format.open.get() == 0 && memory.held() == 0);
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(5))
                .until(() -> memory.admitted() == 0);
    }

    /** A step on top of a scan, as plan and as what it does to the list of ids. */
    sealed interface Layer {

        record Keep(int modulus, int rest) implements Layer {}

        record Add(int amount) implements Layer {}

        record Cut(long offset, long rows) implements Layer {}
    }

    private static PhysicalPlan apply(PhysicalPlan plan, Layer layer) {
        Expression id = new Expression.Column(0, INT64);
        return switch (layer) {
            case Layer.Keep(int modulus, int rest) ->
                    new PhysicalPlan.Filter(
                            plan,
                            call(
                                    Function.EQUAL,
                                    new ColumnType.Bool(),
                                    call(Function.REMAINDER, INT64, id, number(modulus)),
                                    number(rest)));
            case Layer.Add(int amount) ->
                    new PhysicalPlan.Project(
                            plan,
                            List.of(call(Function.ADD, INT64, id, number(amount))),
                            plan.schema());
            case Layer.Cut(long offset, long rows) -> new PhysicalPlan.Limit(plan, offset, rows);
        };
    }

    private static List<Long> apply(List<Long> ids, Layer layer) {
        return switch (layer) {
            case Layer.Keep(int modulus, int rest) ->
                    ids.stream().filter(id -> id % modulus == rest).toList();
            case Layer.Add(int amount) -> ids.stream().map(id -> id + amount).toList();
            case Layer.Cut(long offset, long rows) ->
                    ids.stream().skip(offset).limit(rows).toList();
        };
    }

    /** A scan of partitions of these sizes with layers on top. */
    private static PhysicalPlan plan(List<List<Integer>> sizes, List<Layer> layers) {
        PhysicalPlan plan =
                new PhysicalPlan.Scan(
                        "sequence", SequenceFormat.files(sizes), SequenceFormat.SCHEMA);
        for (Layer layer : layers) {
            plan = apply(plan, layer);
        }
        return plan;
    }

    /** What comes out of that. */
    private static List<Long> ids(List<List<Integer>> sizes, List<Layer> layers) {
        long rows = sizes.stream().flatMap(List::stream).mapToLong(i -> i).sum();
        List<Long> ids = LongStream.range(0, rows).boxed().toList();
        for (Layer layer : layers) {
            ids = apply(ids, layer);
        }
        return ids;
    }

    private static Expression call(Function function, ColumnType type, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), type);
    }

    private static Expression number(long value) {
        return new Expression.Literal(INT64, Long.toString(value));
    }

    @Provide
    Arbitrary<List<List<Integer>>> sizes() {
        return Arbitraries.frequencyOf(
                        Tuple.of(2, Arbitraries.just(0)),
                        Tuple.of(2, Arbitraries.just(1)),
                        Tuple.of(5, Arbitraries.integers().between(2, 40)),
                        Tuple.of(1, Arbitraries.integers().between(100, 400)))
                .list()
                .ofMaxSize(4)
                .list()
                .ofMaxSize(4);
    }

    @Provide
    Arbitrary<List<Layer>> layers() {
        Arbitrary<Layer> keep =
                Arbitraries.integers()
                        .between(1, 5)
                        .flatMap(
                                m ->
                                        Arbitraries.integers()
                                                .between(0, m - 1)
                                                .map(r -> new Layer.Keep(m, r)));
        Arbitrary<Layer> add = Arbitraries.integers().between(0, 9).map(Layer.Add::new);
        Arbitrary<Layer> cut =
                Arbitraries.longs()
                        .between(0, 120)
                        .flatMap(
                                o ->
                                        Arbitraries.oneOf(
                                                        Arbitraries.longs().between(0, 200),
                                                        Arbitraries.just(Long.MAX_VALUE))
                                                .map(n -> new Layer.Cut(o, n)));
        return Arbitraries.oneOf(keep, add, cut).list().ofMaxSize(5);
    }

    @Property(tries = 150)
    void anyRangeIsWhatAFullStreamHasThere(
            @ForAll("sizes") List<List<Integer>> sizes,
            @ForAll("layers") List<Layer> layers,
            @ForAll("offset") long offset,
            @ForAll("offset") long count) {
        RowSource source = RowSources.of(plan(sizes, layers));
        List<Long> expected = ids(sizes, layers);

        assertThat(read(source, 0, Long.MAX_VALUE)).isEqualTo(expected);
        long to = count > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + count;
        assertThat(read(source, offset, to))
                .isEqualTo(expected.stream().skip(offset).limit(to - offset).toList());
        OptionalLong known = source.rowCount();
        if (known.isPresent()) {
            assertThat(known.getAsLong()).isEqualTo(expected.size());
        }
    }

    @Provide
    Arbitrary<Long> offset() {
        return Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.longs().between(0, 300)),
                Tuple.of(1, Arbitraries.of(Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 32)));
    }

    @Property(tries = 60)
    void aReaderThatPeeksLearnsTheNumberOfRowsExactlyWhenItReadToTheirEnd(
            @ForAll("sizes") List<List<Integer>> sizes,
            @ForAll("layers") List<Layer> layers,
            @ForAll("offset") long offset) {
        RowSource source = RowSources.of(plan(sizes, layers));
        List<Long> expected = ids(sizes, layers);
        long to = offset > Long.MAX_VALUE - 10 ? Long.MAX_VALUE : offset + 10;
        read(source, offset, to, Ending.PEEK);

        if (source.rowCount().isPresent()) {
            assertThat(source.rowCount()).hasValue(expected.size());
        } else {
            assertThat(to).as("the end was reached, but not learnt").isLessThan(expected.size());
        }
    }

    @Test
    void aLimitOpensFewPartitionsHoweverManyThereAre() {
        List<List<Integer>> sizes =
                IntStream.range(0, 1_000).mapToObj(i -> List.of(1_000)).toList();
        PhysicalPlan scan =
                new PhysicalPlan.Scan(
                        "sequence", SequenceFormat.files(sizes), SequenceFormat.SCHEMA);

        assertThat(read(RowSources.of(apply(scan, new Layer.Cut(0, 5))), 0, Long.MAX_VALUE))
                .hasSize(5);
        assertThat(format.opened.getAndSet(0)).isEqualTo(1);

        PhysicalPlan filtered = apply(apply(scan, new Layer.Keep(1, 0)), new Layer.Cut(0, 5));
        assertThat(read(RowSources.of(filtered), 0, Long.MAX_VALUE)).hasSize(5);
        assertThat(format.opened.get()).isLessThanOrEqualTo(scheduler.parallelism() + 1);
        nothingIsLeft();
    }

    @Test
    void aDeepOffsetOpensOnlyThePartitionsItNeeds() {
        List<List<Integer>> sizes =
                IntStream.range(0, 1_000).mapToObj(i -> List.of(1_000)).toList();
        PhysicalPlan scan =
                new PhysicalPlan.Scan(
                        "sequence", SequenceFormat.files(sizes), SequenceFormat.SCHEMA);

        assertThat(read(RowSources.of(scan), 999_990, 1_000_000))
                .containsExactlyElementsOf(LongStream.range(999_990, 1_000_000).boxed().toList());
        assertThat(format.opened.get()).isEqualTo(1);
        nothingIsLeft();
    }

    @Test
    void aReaderThatStopsTakingMakesItsPartitionsLetGoAndGoesOnWhereItWas() throws Exception {
        List<List<Integer>> sizes = IntStream.range(0, 4).mapToObj(i -> List.of(500_000)).toList();
        RowSource source =
                RowSources.of(
                        new PhysicalPlan.Scan(
                                "sequence", SequenceFormat.files(sizes), SequenceFormat.SCHEMA));
        List<Long> seen = new ArrayList<>();
        try (BatchStream stream = source.open(0, Long.MAX_VALUE, context(Ending.STOP))) {
            while (seen.size() < 100_000) {
                take(stream, seen);
            }
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> format.releases.get() >= 3 && memory.admitted() == 0);
            while (take(stream, seen)) {
                // Until the end.
            }
        }
        assertThat(seen).hasSize(2_000_000);
        assertThat(LongStream.range(0, 2_000_000).allMatch(i -> seen.get((int) i) == i)).isTrue();
        nothingIsLeft();
    }

    @Test
    void closingMidwayFreesEverything() throws Exception {
        List<List<Integer>> sizes = IntStream.range(0, 50).mapToObj(i -> List.of(100_000)).toList();
        RowSource source =
                RowSources.of(
                        new PhysicalPlan.Scan(
                                "sequence", SequenceFormat.files(sizes), SequenceFormat.SCHEMA));
        for (int i = 0; i < 50; i++) {
            List<Long> seen = new ArrayList<>();
            try (BatchStream stream =
                    source.open(i * 31_337L, Long.MAX_VALUE, context(Ending.STOP))) {
                for (int k = 0; k < i; k++) {
                    take(stream, seen);
                }
            }
        }
        nothingIsLeft();
    }

    private ReadContext context(Ending ending) {
        return new ReadContext(
                Map.of("sequence", format),
                memory,
                SpillFolders.space(memory),
                scheduler.group(),
                scheduler.parallelism(),
                1_000,
                Executors.newVirtualThreadPerTaskExecutor(),
                ScanMetrics.NONE,
                ending);
    }

    private List<Long> read(RowSource source, long from, long to) {
        return read(source, from, to, Ending.STOP);
    }

    private List<Long> read(RowSource source, long from, long to, Ending ending) {
        List<Long> ids = new ArrayList<>();
        try (BatchStream stream = source.open(from, to, context(ending))) {
            while (take(stream, ids)) {
                // Until the end.
            }
            return ids;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** One item, waited for; false at the end. */
    private static boolean take(BatchStream stream, List<Long> into) throws Exception {
        while (true) {
            switch (stream.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    try (batch) {
                        if (batch.column(0) instanceof ColumnVector.Plain(BigIntVector ids)) {
                            for (int i = 0; i < batch.rowCount(); i++) {
                                into.add(ids.get(i));
                            }
                        }
                    }
                    return true;
                }
                case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) ->
                        until.get(10, TimeUnit.SECONDS);
                case Poll.Finished<RecordBatch>() -> {
                    return false;
                }
            }
        }
    }
}
