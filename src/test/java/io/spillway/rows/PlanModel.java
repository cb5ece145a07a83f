package io.spillway.rows;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.operator.RowHash;
import io.spillway.operator.key.SortKey;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.ScanFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A plan and, worked out on lists, the rows that must come of it.
 *
 * @param exploded whether there is an explode below
 */
record PlanModel(PhysicalPlan plan, List<Row> rows, boolean exploded) {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    /**
     * A row.
     *
     * @param items a list or, above an explode, an element
     */
    record Row(long id, @Nullable Object items) {}

    /** A step on top of a plan. */
    sealed interface Layer {

        /** Rows whose id leaves a rest. */
        record Keep(int modulus, int rest) implements Layer {}

        /** Another id. */
        record Add(int amount) implements Layer {}

        record Cut(long offset, long rows) implements Layer {}

        /** The list taken apart, if it is one still. */
        record Explode(boolean outer) implements Layer {}

        /** Row numbers, added to the ids. */
        record Numbers(long start) implements Layer {}

        record SomeOf(double fraction, long seed) implements Layer {}

        record Choose(long rows, long seed) implements Layer {}

        record Repartition(int partitions, long rowsEach) implements Layer {}

        /** In the order of ids, down or up. */
        record Sort(boolean descending) implements Layer {}

        /** The rows so far and those of another plan over partitions of these sizes. */
        record Union(List<List<Integer>> sizes, List<Layer> others, boolean first)
                implements Layer {}
    }

    /** A scan of partitions of these sizes with layers on top. */
    static PlanModel of(List<List<Integer>> sizes, List<Layer> layers) {
        long count = sizes.stream().flatMap(List::stream).mapToLong(i -> i).sum();
        List<Row> rows =
                LongStream.range(0, count)
                        .mapToObj(id -> new Row(id, SequenceFormat.items(id)))
                        .toList();
        return new PlanModel(scan(sizes), rows, false).with(layers);
    }

    /** The plan alone, for more rows than can be worked out. */
    static PhysicalPlan plan(List<List<Integer>> sizes, List<Layer> layers) {
        return new PlanModel(scan(sizes), List.of(), false).with(layers).plan;
    }

    private static PhysicalPlan scan(List<List<Integer>> sizes) {
        return new PhysicalPlan.Scan(
                "sequence", SequenceFormat.files(sizes), SequenceFormat.WITH_ITEMS);
    }

    private PlanModel with(List<Layer> layers) {
        PlanModel model = this;
        for (Layer layer : layers) {
            model = model.with(layer);
        }
        return model;
    }

    private PlanModel with(Layer layer) {
        return switch (layer) {
            case Layer.Keep(int modulus, int rest) -> keep(modulus, rest);
            case Layer.Add(int amount) ->
                    new PlanModel(
                            new PhysicalPlan.Project(
                                    plan,
                                    List.of(
                                            call(Function.ADD, INT64, column(0), literal(amount)),
                                            column(1)),
                                    plan.schema()),
                            rows.stream()
                                    .map(row -> new Row(row.id() + amount, row.items()))
                                    .toList(),
                            exploded);
            case Layer.Cut(long offset, long count) ->
                    new PlanModel(
                            new PhysicalPlan.Limit(plan, offset, count),
                            rows.stream().skip(offset).limit(count).toList(),
                            exploded);
            case Layer.Explode(boolean outer) -> exploded ? this : explode(outer);
            case Layer.Numbers(long start) -> number(start);
            case Layer.SomeOf(double fraction, long seed) -> sample(fraction, seed);
            case Layer.Choose(long count, long seed) -> choose(count, seed);
            case Layer.Repartition(int partitions, long rowsEach) ->
                    new PlanModel(
                            new PhysicalPlan.Repartition(plan, partitions, rowsEach),
                            rows,
                            exploded);
            case Layer.Sort(boolean descending) -> sort(descending);
            case Layer.Union(var sizes, var others, boolean first) -> union(sizes, others, first);
        };
    }

    private PlanModel sort(boolean descending) {
        Comparator<Row> up = Comparator.comparingLong(Row::id);
        return new PlanModel(
                new PhysicalPlan.Sort(
                        plan, List.of(new SortKey(0, descending, false)), Long.MAX_VALUE),
                rows.stream().sorted(descending ? up.reversed() : up).toList(),
                exploded);
    }

    private PlanModel keep(int modulus, int rest) {
        Expression condition =
                call(
                        Function.EQUAL,
                        new ColumnType.Bool(),
                        call(Function.REMAINDER, INT64, column(0), literal(modulus)),
                        literal(rest));
        PhysicalPlan input =
                plan instanceof PhysicalPlan.Scan scan
                        ? new PhysicalPlan.Scan(
                                scan.format(),
                                scan.options(),
                                scan.files(),
                                scan.schema(),
                                ScanFilter.of(condition, new BitSet(), new BitSet()),
                                scan.skipped())
                        : plan;
        return new PlanModel(
                new PhysicalPlan.Filter(input, condition),
                rows.stream().filter(row -> row.id() % modulus == rest).toList(),
                exploded);
    }

    private PlanModel explode(boolean outer) {
        List<Row> elements = new ArrayList<>();
        for (Row row : rows) {
            List<?> items = (List<?>) row.items();
            if (items != null) {
                items.forEach(item -> elements.add(new Row(row.id(), item)));
            }
            if (outer && (items == null || items.isEmpty())) {
                elements.add(new Row(row.id(), null));
            }
        }
        RowSchema schema =
                new RowSchema(
                        List.of(plan.schema().column(0), new ColumnSchema("items", INT64, true)));
        return new PlanModel(
                new PhysicalPlan.Explode(plan, 1, outer, schema), List.copyOf(elements), true);
    }

    private PlanModel number(long start) {
        List<ColumnSchema> columns = new ArrayList<>(plan.schema().columns());
        columns.add(new ColumnSchema("number", INT64, false));
        PhysicalPlan numbered = new PhysicalPlan.RowNumbers(plan, start, new RowSchema(columns));
        return new PlanModel(
                new PhysicalPlan.Project(
                        numbered,
                        List.of(
                                call(
                                        Function.ADD,
                                        INT64,
                                        column(0),
                                        new Expression.Column(2, INT64)),
                                column(1)),
                        plan.schema()),
                IntStream.range(0, rows.size())
                        .mapToObj(i -> new Row(rows.get(i).id() + start + i, rows.get(i).items()))
                        .toList(),
                exploded);
    }

    private PlanModel sample(double fraction, long seed) {
        RowHash hash = new RowHash(seed);
        return new PlanModel(
                new PhysicalPlan.SampleFraction(plan, fraction, seed),
                IntStream.range(0, rows.size())
                        .filter(i -> (hash.of(i) >>> 11) * 0x1p-53 < fraction)
                        .mapToObj(rows::get)
                        .toList(),
                exploded);
    }

    private PlanModel choose(long count, long seed) {
        return new PlanModel(
                new PhysicalPlan.SampleRows(plan, count, seed),
                count >= rows.size()
                        ? rows
                        : Arrays.stream(new SampleChoice(count, seed).choose(rows.size()))
                                .mapToObj(i -> rows.get((int) i))
                                .toList(),
                exploded);
    }

    private PlanModel union(List<List<Integer>> sizes, List<Layer> others, boolean first) {
        List<Layer> layers = new ArrayList<>(others);
        layers.removeIf(Layer.Explode.class::isInstance);
        if (exploded) {
            layers.addFirst(new Layer.Explode(false));
        }
        PlanModel other = of(sizes, layers);
        List<PlanModel> inputs = first ? List.of(other, this) : List.of(this, other);
        RowSchema schema = plan.schema();
        RowSchema renamed =
                new RowSchema(
                        List.of(
                                new ColumnSchema("ID", INT64, schema.column(0).nullable()),
                                schema.column(1)));
        return new PlanModel(
                new PhysicalPlan.Union(
                        inputs.stream().map(PlanModel::plan).toList(), first ? renamed : schema),
                inputs.stream().flatMap(input -> input.rows.stream()).toList(),
                exploded);
    }

    private Expression column(int index) {
        return new Expression.Column(index, plan.schema().column(index).type());
    }

    private static Expression call(Function function, ColumnType type, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), type);
    }

    private static Expression literal(long value) {
        return new Expression.Literal(INT64, Long.toString(value));
    }
}
