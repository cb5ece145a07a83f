package io.spillway.plan.document;

import java.util.List;

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

    /**
     * A member of a JSON object: a name, and the text that belongs to it.
     *
     * @param name the key: a new column's name, or a column's old one
     * @param value the value: a new column's expression, or a column's new name
     */
    record NamedText(String name, PlanText value) {}
}
