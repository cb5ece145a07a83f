package io.spillway.plan.document;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of a plan. */
public sealed interface Step {

    /** JSON Pointer to the step. */
    String pointer();

    /** Keeps the rows for which the expression is true. */
    record Filter(PlanText where, String pointer) implements Step {}

    /**
     * Puts columns in place of those there are; each a name, {@code expr AS name}, or {@code *}.
     */
    record Select(List<PlanText> columns, String pointer) implements Step {

        public Select {
            columns = List.copyOf(columns);
        }
    }

    /** Adds columns at the end, or replaces those of the same name where they stand. */
    record WithColumns(List<NamedText> columns, String pointer) implements Step {

        public WithColumns {
            columns = List.copyOf(columns);
        }
    }

    /** Gives columns other names; they keep their places. */
    record Rename(List<NamedText> columns, String pointer) implements Step {

        public Rename {
            columns = List.copyOf(columns);
        }
    }

    /** Takes columns away. */
    record Drop(List<PlanText> columns, String pointer) implements Step {

        public Drop {
            columns = List.copyOf(columns);
        }
    }

    /** Keeps the first rows of what stands before it. */
    record Limit(long rows, String pointer) implements Step {}

    /** Leaves out the first rows of what stands before it. */
    record Offset(long rows, String pointer) implements Step {}

    /** Adds the rows of other plans at the end, one plan after the other; columns meet by name. */
    record Union(List<Input> with, String pointer) implements Step {

        /** A plan, and where it stands. */
        public record Input(PlanDocument plan, String pointer) {}

        public Union {
            with = List.copyOf(with);
        }
    }

    /**
     * Puts a row for each element of a list in place of the list's row.
     *
     * @param outer a row whose list is null or empty stays, with null as the element
     */
    record Explode(PlanText column, boolean outer, String pointer) implements Step {}

    /**
     * Keeps each row with a probability.
     *
     * @param fraction from 0 to 1
     * @param seed null to have one drawn
     */
    record SampleFraction(double fraction, @Nullable Long seed, String pointer) implements Step {}

    /**
     * Keeps so many rows, chosen at random, in their order.
     *
     * @param seed null to have one drawn
     */
    record SampleRows(long rows, @Nullable Long seed, String pointer) implements Step {}

    /**
     * Adds each row's number as a last column.
     *
     * @param start the first row's number
     */
    record RowIndex(PlanText name, long start, String pointer) implements Step {}

    /** Cuts the rows into so many partitions, as equal as can be. */
    record RepartitionInto(int partitions, String pointer) implements Step {}

    /** Cuts the rows into partitions of so many rows. */
    record RepartitionEvery(long rows, String pointer) implements Step {}

    /**
     * Orders the rows by keys, each an expression or a column's name, perhaps followed by ASC or
     * DESC and NULLS FIRST or NULLS LAST.
     */
    record Sort(List<PlanText> by, String pointer) implements Step {

        public Sort {
            by = List.copyOf(by);
        }
    }

    /**
     * Keeps the first row of each combination of columns.
     *
     * @param on their names; none for all columns
     */
    record Distinct(List<PlanText> on, String pointer) implements Step {

        public Distinct {
            on = List.copyOf(on);
        }
    }

    /**
     * Puts a row in place of each group of rows.
     *
     * @param by what makes a group, each a column's name or {@code expr AS name}; none for one
     *     group of all rows
     * @param measures what is computed of a group: new columns by name
     */
    record Aggregate(List<PlanText> by, List<NamedText> measures, String pointer) implements Step {

        public Aggregate {
            by = List.copyOf(by);
            measures = List.copyOf(measures);
        }
    }

    /**
     * Puts rows together with those of another plan.
     *
     * @param with the other plan, the right side
     * @param on a condition over both; null if there is none
     * @param using columns of both sides that must be equal, and come out once
     */
    record Join(
            PlanDocument with,
            JoinKind kind,
            @Nullable PlanText on,
            List<PlanText> using,
            String pointer)
            implements Step {

        public Join {
            using = List.copyOf(using);
        }
    }

    /** Which rows come out of a join. */
    enum JoinKind {
        INNER,
        LEFT,
        RIGHT,
        FULL,
        SEMI,
        ANTI,
        CROSS
    }

    /**
     * Adds columns that are computed from the rows around each row.
     *
     * @param partitionBy rows that agree in these see each other; none if all do
     * @param orderBy their order; none for the order they have
     * @param frame which of them a function sees, as SQL has it behind the ORDER BY of a window;
     *     null for what SQL takes when nothing is said
     * @param columns new columns by name
     */
    record Window(
            List<PlanText> partitionBy,
            List<PlanText> orderBy,
            @Nullable PlanText frame,
            List<NamedText> columns,
            String pointer)
            implements Step {

        public Window {
            partitionBy = List.copyOf(partitionBy);
            orderBy = List.copyOf(orderBy);
            columns = List.copyOf(columns);
        }
    }

    /**
     * A member of a JSON object: a name, and the text that belongs to it.
     *
     * @param name the key: a new column's name, or a column's old one
     * @param value the value: a new column's expression, or a column's new name
     */
    record NamedText(String name, PlanText value) {}
}
