package io.spillway.plan.document;

import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import java.util.List;
import java.util.Map;

/** Where the rows of a plan come from. */
public sealed interface From {

    /** JSON Pointer to what was written. */
    String pointer();

    /** A dataset that the configuration names. */
    record Dataset(PlanText name) implements From {

        @Override
        public String pointer() {
            return name.pointer();
        }
    }

    /**
     * Files, by path or glob.
     *
     * @param format name of the format, as written
     * @param paths in the order written, at least one
     * @param options of the format: strings, booleans, {@code Long}, {@code BigDecimal}, or lists
     *     and maps of them
     */
    record Files(String format, List<String> paths, Map<String, Object> options, String pointer)
            implements From {

        public Files {
            paths = List.copyOf(paths);
            options = Map.copyOf(options);
        }
    }

    /** A query over the datasets that the configuration names. */
    record Sql(PlanText query) implements From {

        @Override
        public String pointer() {
            return query.pointer();
        }
    }

    /**
     * Rows that stand in the plan.
     *
     * @param schema types are those written, else those that the values have
     * @param rows one literal a column, of the column's type
     */
    record Values(RowSchema schema, List<List<Expression.Literal>> rows, String pointer)
            implements From {

        public Values {
            rows = List.copyOf(rows);
        }
    }
}
