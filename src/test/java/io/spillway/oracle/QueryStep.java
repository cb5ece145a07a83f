package io.spillway.oracle;

import io.spillway.plan.document.Step.JoinKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A step of a plan. */
sealed interface QueryStep {

    /** A named expression. */
    record Named(SqlText expression, Column column) {}

    /**
     * A key of an order.
     *
     * @param direction what stands behind the value, the same in both dialects: both put nulls last
     *     if nothing is said
     */
    record Key(SqlText value, String direction) {

        SqlText text() {
            return SqlText.of("%s" + direction, value);
        }
    }

    record Filter(SqlText where) implements QueryStep {}

    /** Columns in this order; {@code star} puts all columns of the input before them. */
    record Select(boolean star, List<Named> columns) implements QueryStep {}

    /** Adds or replaces. */
    record WithColumns(List<Named> columns) implements QueryStep {}

    /** New names by old ones. */
    record Rename(Map<String, String> names) implements QueryStep {}

    record Drop(List<String> names) implements QueryStep {}

    record Limit(long rows) implements QueryStep {}

    record Offset(long rows) implements QueryStep {}

    /** Behind the rows those of another plan over the same files, with the same columns. */
    record Union(List<QueryStep> with) implements QueryStep {}

    /** The rows' numbers as a last column. */
    record RowIndex(Column column, long start) implements QueryStep {}

    record Repartition(long rows) implements QueryStep {}

    /** Ties stay as they are. */
    record Sort(List<Key> by) implements QueryStep {}

    /** The first row of each combination of some columns; of all if there are none. */
    record Distinct(List<Column> on) implements QueryStep {}

    /** A row for each group, in the order in which groups first appear. */
    record Aggregate(List<Named> by, List<Named> measures) implements QueryStep {}

    /**
     * Pairs with rows of another plan over the same files. But for those of {@code using} its
     * columns have names of their own.
     *
     * @param on null if there is none
     * @param using columns of both sides that must be equal
     */
    record Join(List<QueryStep> with, JoinKind kind, @Nullable SqlText on, List<Column> using)
            implements QueryStep {}

    /**
     * Columns computed of the rows around.
     *
     * @param frame null for none
     */
    record Window(
            List<SqlText> partition, List<Key> order, @Nullable String frame, List<Named> columns)
            implements QueryStep {}

    /** A row for each element of a list. */
    record Explode(Column column, boolean outer) implements QueryStep {}
}
