package io.spillway.oracle;

import java.util.List;
import java.util.Map;

/** A step of a plan. */
sealed interface QueryStep {

    /** A named expression. */
    record Named(SqlText expression, Column column) {}

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
}
