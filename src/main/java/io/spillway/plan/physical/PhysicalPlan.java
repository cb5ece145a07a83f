package io.spillway.plan.physical;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.operator.aggregate.AggregateCall;
import io.spillway.operator.join.JoinKey;
import io.spillway.operator.join.JoinType;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.window.WindowCall;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanFile;
import io.spillway.scan.SkippedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is executed. A tree of resolved operators that holds all it needs (files and their states,
 * columns by position, types), so that it can be stored as JSON with the job, read back after a
 * restart, and run the same way for as long as the job lives. It is never optimised again: it fixes
 * the job's row order.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "op")
@JsonSubTypes({
    @JsonSubTypes.Type(value = PhysicalPlan.Scan.class, name = "scan"),
    @JsonSubTypes.Type(value = PhysicalPlan.Values.class, name = "values"),
    @JsonSubTypes.Type(value = PhysicalPlan.Filter.class, name = "filter"),
    @JsonSubTypes.Type(value = PhysicalPlan.Project.class, name = "project"),
    @JsonSubTypes.Type(value = PhysicalPlan.Limit.class, name = "limit"),
    @JsonSubTypes.Type(value = PhysicalPlan.Union.class, name = "union"),
    @JsonSubTypes.Type(value = PhysicalPlan.Explode.class, name = "explode"),
    @JsonSubTypes.Type(value = PhysicalPlan.SampleFraction.class, name = "sampleFraction"),
    @JsonSubTypes.Type(value = PhysicalPlan.SampleRows.class, name = "sampleRows"),
    @JsonSubTypes.Type(value = PhysicalPlan.RowNumbers.class, name = "rowNumbers"),
    @JsonSubTypes.Type(value = PhysicalPlan.Repartition.class, name = "repartition"),
    @JsonSubTypes.Type(value = PhysicalPlan.Sort.class, name = "sort"),
    @JsonSubTypes.Type(value = PhysicalPlan.Aggregate.class, name = "aggregate"),
    @JsonSubTypes.Type(value = PhysicalPlan.Join.class, name = "join"),
    @JsonSubTypes.Type(value = PhysicalPlan.Distinct.class, name = "distinct"),
    @JsonSubTypes.Type(value = PhysicalPlan.Window.class, name = "window")
})
public sealed interface PhysicalPlan {

    /** The columns that come out. */
    RowSchema schema();

    /** The plans that this one reads, in order. */
    List<PhysicalPlan> inputs();

    /** All scans of the plan, from left to right. */
    default List<Scan> scans() {
        return inputs().stream().flatMap(input -> input.scans().stream()).toList();
    }

    /** What filters left out of scans while the plan was made. */
    default List<Pruned> pruned() {
        return Pruned.sum(inputs().stream().flatMap(input -> input.pruned().stream()).toList());
    }

    /** A plan that reads one other. */
    sealed interface Unary extends PhysicalPlan {

        PhysicalPlan input();

        @Override
        @JsonIgnore
        default List<PhysicalPlan> inputs() {
            return List.of(input());
        }
    }

    /**
     * Rows of files, in (file, row group, row) order.
     *
     * @param format name of the scan format
     * @param options of the format, by name, as text
     * @param files pinned files, in scan order
     * @param schema the columns to read, by name; any subset of the columns that the files have in
     *     common, in any order, even none; {@link io.spillway.scan.FileColumns} tells how one file
     *     comes to them
     * @param filter what the filter directly above lets it leave out, or null if there is none
     * @param skipped files that were left out when the others were pinned
     */
    record Scan(
            String format,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> options,
            List<ScanFile> files,
            RowSchema schema,
            @Nullable ScanFilter filter,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SkippedFile> skipped)
            implements PhysicalPlan {

        @JsonCreator
        public Scan(
                String format,
                @Nullable Map<String, String> options,
                List<ScanFile> files,
                RowSchema schema,
                @Nullable ScanFilter filter,
                @Nullable List<SkippedFile> skipped) {
            this.format = format;
            this.options = options == null ? Map.of() : Map.copyOf(options);
            this.files = List.copyOf(files);
            this.schema = schema;
            this.filter = filter;
            this.skipped = skipped == null ? List.of() : List.copyOf(skipped);
        }

        /** A scan of all rows of all files that were found. */
        public Scan(String format, List<ScanFile> files, RowSchema schema) {
            this(format, Map.of(), files, schema, null, List.of());
        }

        @Override
        public List<Scan> scans() {
            return List.of(this);
        }

        @Override
        public List<Pruned> pruned() {
            return filter == null ? List.of() : filter.pruned(files);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of();
        }
    }

    /** Rows that stand in the plan itself: one list of literals a row. */
    record Values(RowSchema schema, List<List<Expression.Literal>> rows) implements PhysicalPlan {

        public Values {
            rows = List.copyOf(rows);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of();
        }
    }

    /** The input's rows for which the predicate is true. */
    record Filter(PhysicalPlan input, Expression predicate) implements Unary {

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }
    }

    /** For each row of the input, the values of the expressions. */
    record Project(PhysicalPlan input, List<Expression> expressions, RowSchema schema)
            implements Unary {

        public Project {
            expressions = List.copyOf(expressions);
        }
    }

    /**
     * Rows {@code [offset, offset + rows)} of the input; {@code rows} is {@code Long.MAX_VALUE}
     * where only an offset was asked.
     */
    record Limit(PhysicalPlan input, long offset, long rows) implements Unary {

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }
    }

    /**
     * The rows of all inputs, one input after the other.
     *
     * @param inputs at least one; each has the columns of the schema: the same types, in the same
     *     order, nullable only if the schema's column is; names are the schema's
     */
    record Union(List<PhysicalPlan> inputs, RowSchema schema) implements PhysicalPlan {

        public Union {
            inputs = List.copyOf(inputs);
        }
    }

    /**
     * For each element of a list a row, with the element in place of the list.
     *
     * @param column which column is the list
     * @param outer a row whose list is null or empty comes out once, with null as the element; else
     *     not at all
     */
    record Explode(PhysicalPlan input, int column, boolean outer, RowSchema schema)
            implements Unary {}

    /**
     * Each row of the input with a probability, decided by the seed and the row's number alone.
     *
     * @param fraction from 0 to 1
     */
    record SampleFraction(PhysicalPlan input, double fraction, long seed) implements Unary {

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }
    }

    /**
     * So many rows of the input, all if it has fewer, in its order; chosen by the seed and the
     * number of rows alone, every choice as likely.
     */
    record SampleRows(PhysicalPlan input, long rows, long seed) implements Unary {

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }
    }

    /**
     * The input's rows with their numbers as a last column.
     *
     * @param start the first row's number
     * @param schema the input's, and a column of 64-bit integers that are never null
     */
    record RowNumbers(PhysicalPlan input, long start, RowSchema schema) implements Unary {}

    /**
     * The input's rows in its order, cut into other partitions.
     *
     * @param partitions how many, as equal as can be, the larger ones first; 0 if {@code
     *     rowsPerPartition} says it
     * @param rowsPerPartition rows of each partition but the last; 0 if {@code partitions} says it
     */
    record Repartition(PhysicalPlan input, int partitions, long rowsPerPartition) implements Unary {

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }
    }

    /**
     * The input's rows in the order of keys, of which earlier ones decide first; rows that no key
     * tells apart keep their order.
     *
     * @param keys at least one
     * @param rows how many of them, from the first on; {@code Long.MAX_VALUE} for all
     */
    record Sort(PhysicalPlan input, List<SortKey> keys, long rows) implements Unary {

        public Sort {
            keys = List.copyOf(keys);
        }

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }
    }

    /**
     * A row for each combination of keys, in order of first appearance. Nulls are equal as keys.
     *
     * @param keys positions of input columns, without repeats; without keys exactly one row comes
     *     out, of no rows too
     * @param calls what is computed of each group
     * @param schema the keys, then the calls
     */
    record Aggregate(
            PhysicalPlan input, List<Integer> keys, List<AggregateCall> calls, RowSchema schema)
            implements Unary {

        public Aggregate {
            keys = List.copyOf(keys);
            calls = List.copyOf(calls);
        }
    }

    /**
     * Rows of two inputs that belong together: in the order of the left input, the matches of one
     * row in the order of the right one, right rows without a match last. Without keys and without
     * a condition all pairs match.
     *
     * @param keys what must be equal; columns of a pair have one type
     * @param condition over left columns followed by right columns: decides about pairs whose keys
     *     match; null for all of them
     * @param schema left columns, then right ones; left ones alone if the type has no right ones
     */
    record Join(
            PhysicalPlan left,
            PhysicalPlan right,
            JoinType type,
            List<JoinKey> keys,
            @Nullable Expression condition,
            RowSchema schema)
            implements PhysicalPlan {

        public Join {
            keys = List.copyOf(keys);
        }

        @Override
        @JsonIgnore
        public List<PhysicalPlan> inputs() {
            return List.of(left, right);
        }

        /** The columns that the condition is about. */
        @JsonIgnore
        public RowSchema pairs() {
            List<ColumnSchema> columns = new ArrayList<>(left.schema().columns());
            columns.addAll(right.schema().columns());
            return new RowSchema(columns);
        }
    }

    /**
     * The first row of each combination of keys, in the input's order. Nulls are equal as keys.
     *
     * @param keys positions of input columns, without repeats; without keys the first row alone
     */
    record Distinct(PhysicalPlan input, List<Integer> keys) implements Unary {

        public Distinct {
            keys = List.copyOf(keys);
        }

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }
    }

    /**
     * The input's rows in its order, each with values computed from the rows of its partition.
     *
     * @param partition positions of input columns; rows that agree in them are a partition, all
     *     rows if there are none
     * @param order of the rows of a partition; ties keep the input's order
     * @param calls what is computed
     * @param schema the input's columns, then the calls
     */
    record Window(
            PhysicalPlan input,
            List<Integer> partition,
            List<SortKey> order,
            List<WindowCall> calls,
            RowSchema schema)
            implements Unary {

        public Window {
            partition = List.copyOf(partition);
            order = List.copyOf(order);
            calls = List.copyOf(calls);
        }
    }
}
