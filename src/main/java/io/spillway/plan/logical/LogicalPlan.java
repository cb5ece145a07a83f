package io.spillway.plan.logical;

import io.spillway.batch.RowSchema;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.externalize.RelWriterImpl;
import org.apache.calcite.sql.SqlExplainLevel;

/** Validated algebra for a plan. */
record LogicalPlan(RelNode root) {

    private static final int MAX_LINE = 2_000;

    /** The columns that come out. */
    RowSchema schema() {
        return TypeMapping.toSchema(root.getRowType());
    }

    /**
     * The algebra as a tree, one operator a line; very long lines are cut short, and that all text
     * is UTF-8 is not repeated.
     */
    String text() {
        StringWriter out = new StringWriter();
        root.explain(
                new RelWriterImpl(new PrintWriter(out), SqlExplainLevel.EXPPLAN_ATTRIBUTES, false));
        StringBuilder text = new StringBuilder();
        out.toString()
                .replace("_UTF-8'", "'")
                .replace(":VARCHAR CHARACTER SET \"UTF-8\"", "")
                .lines()
                .forEach(
                        line ->
                                text.append(
                                                line.length() <= MAX_LINE
                                                        ? line
                                                        : line.substring(0, MAX_LINE) + "…")
                                        .append('\n'));
        return text.toString();
    }
}
