package io.spillway.plan.physical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.scan.ScanFile;
import io.spillway.scan.SkippedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Physical plans as indented trees of text, for people: the root first, inputs below it. */
public final class Explain {

    private static final int MAX_COLUMNS = 50;
    private static final int MAX_FILES = 10;

    private Explain() {}

    /**
     * The plan as a tree: operators with their predicates and expressions, scans with files,
     * partitions and row counts, and the columns of each with their types. Long lists are cut
     * short.
     */
    public static String text(PhysicalPlan plan) {
        StringBuilder out = new StringBuilder();
        append(out, plan, 0);
        return out.toString();
    }

    private static void append(StringBuilder out, PhysicalPlan plan, int depth) {
        switch (plan) {
            case PhysicalPlan.Scan scan -> scan(out, scan, depth);
            case PhysicalPlan.Values values -> {
                line(out, depth, "Values rows=" + count(values.rows().size()));
                columns(out, values.schema(), depth + 1);
            }
            case PhysicalPlan.Filter filter ->
                    line(
                            out,
                            depth,
                            "Filter "
                                    + ExpressionText.of(
                                            filter.predicate(), filter.input().schema()));
            case PhysicalPlan.Project project -> {
                line(out, depth, "Project");
                project(out, project, depth + 1);
            }
            case PhysicalPlan.Limit limit -> {
                String rows = limit.rows() == Long.MAX_VALUE ? "" : " rows=" + count(limit.rows());
                line(out, depth, "Limit offset=" + count(limit.offset()) + rows);
            }
            case PhysicalPlan.Union union ->
                    line(out, depth, "Union inputs=" + count(union.inputs().size()));
            case PhysicalPlan.Explode explode ->
                    line(
                            out,
                            depth,
                            "Explode "
                                    + ExpressionText.name(
                                            explode.schema().column(explode.column()).name())
                                    + (explode.outer() ? " outer" : ""));
            case PhysicalPlan.SampleFraction sample ->
                    line(
                            out,
                            depth,
                            "Sample fraction=" + sample.fraction() + " seed=" + sample.seed());
            case PhysicalPlan.SampleRows sample ->
                    line(
                            out,
                            depth,
                            "Sample rows=" + count(sample.rows()) + " seed=" + sample.seed());
            case PhysicalPlan.RowNumbers numbers ->
                    line(
                            out,
                            depth,
                            "RowNumbers "
                                    + ExpressionText.name(
                                            numbers.schema()
                                                    .column(numbers.schema().size() - 1)
                                                    .name())
                                    + " start="
                                    + count(numbers.start()));
            case PhysicalPlan.Repartition repartition ->
                    line(
                            out,
                            depth,
                            repartition.partitions() > 0
                                    ? "Repartition partitions=" + count(repartition.partitions())
                                    : "Repartition rowsPerPartition="
                                            + count(repartition.rowsPerPartition()));
            case PhysicalPlan.Sort sort -> {
                String rows = sort.rows() == Long.MAX_VALUE ? "" : " rows=" + count(sort.rows());
                line(out, depth, "Sort " + KeyText.order(sort.keys(), sort.schema()) + rows);
            }
            case PhysicalPlan.Aggregate aggregate -> aggregate(out, aggregate, depth);
            case PhysicalPlan.Join join -> join(out, join, depth);
            case PhysicalPlan.Distinct distinct ->
                    line(
                            out,
                            depth,
                            distinct.keys().isEmpty()
                                    ? "Distinct"
                                    : "Distinct "
                                            + KeyText.columns(distinct.keys(), distinct.schema()));
            case PhysicalPlan.Window window -> window(out, window, depth);
        }
        for (PhysicalPlan input : plan.inputs()) {
            append(out, input, depth + 1);
        }
    }

    private static void scan(StringBuilder out, PhysicalPlan.Scan scan, int depth) {
        int partitions = scan.files().stream().mapToInt(f -> f.partitionRows().size()).sum();
        long rows = scan.files().stream().mapToLong(ScanFile::rows).sum();
        line(
                out,
                depth,
                "Scan "
                        + scan.format()
                        + " files="
                        + count(scan.files().size())
                        + " partitions="
                        + count(partitions)
                        + " rows="
                        + count(rows));
        columns(out, scan.schema(), depth + 1);
        ScanFilter filter = scan.filter();
        if (filter != null) {
            filter(out, scan, filter, depth + 1);
        }
        for (Map.Entry<String, String> option : new TreeMap<>(scan.options()).entrySet()) {
            line(out, depth + 1, "option " + option.getKey() + "=" + option.getValue());
        }
        List<ScanFile> files = scan.files();
        for (ScanFile file : files.subList(0, Math.min(MAX_FILES, files.size()))) {
            line(
                    out,
                    depth + 1,
                    "file "
                            + file.status().uri()
                            + " partitions="
                            + count(file.partitionRows().size())
                            + " rows="
                            + count(file.rows()));
        }
        if (files.size() > MAX_FILES) {
            line(out, depth + 1, "… " + count(files.size() - MAX_FILES) + " more files");
        }
        skipped(out, scan.skipped(), depth + 1);
    }

    private static void filter(
            StringBuilder out, PhysicalPlan.Scan scan, ScanFilter filter, int depth) {
        line(out, depth, "filter " + ExpressionText.of(filter.condition(), scan.schema()));
        List<String> pruned = new ArrayList<>();
        int files = filter.filesByValues(scan.files());
        if (files > 0) {
            pruned.add(of(files, scan.files().size()) + " files by file values");
        }
        int partitions = ScanFilter.partitions(filter.byStatistics()).cardinality();
        if (partitions > 0) {
            int all = scan.files().stream().mapToInt(f -> f.partitionRows().size()).sum();
            pruned.add(of(partitions, all) + " partitions by statistics");
        }
        if (!pruned.isEmpty()) {
            line(out, depth, "pruned " + String.join(", ", pruned));
        }
    }

    private static String of(int some, int all) {
        return count(some) + " of " + count(all);
    }

    private static void skipped(StringBuilder out, List<SkippedFile> skipped, int depth) {
        for (SkippedFile file : skipped.subList(0, Math.min(MAX_FILES, skipped.size()))) {
            line(out, depth, "skipped " + file.file() + ": " + file.reason());
        }
        if (skipped.size() > MAX_FILES) {
            line(out, depth, "… " + count(skipped.size() - MAX_FILES) + " more skipped files");
        }
    }

    private static void columns(StringBuilder out, RowSchema schema, int depth) {
        StringBuilder columns = new StringBuilder("columns");
        String separator = " ";
        for (int i = 0; i < Math.min(MAX_COLUMNS, schema.size()); i++) {
            ColumnSchema column = schema.column(i);
            columns.append(separator).append(ExpressionText.name(column.name()));
            columns.append(' ').append(column.type()).append(column.nullable() ? "?" : "");
            separator = ", ";
        }
        if (schema.size() == 0) {
            columns.append(" none");
        }
        line(out, depth, columns + more(schema.size()));
    }

    private static void project(StringBuilder out, PhysicalPlan.Project project, int depth) {
        RowSchema schema = project.schema();
        for (int i = 0; i < Math.min(MAX_COLUMNS, schema.size()); i++) {
            ColumnSchema column = schema.column(i);
            String name = ExpressionText.name(column.name());
            String text = ExpressionText.of(project.expressions().get(i), project.input().schema());
            line(
                    out,
                    depth,
                    text
                            + (text.equals(name) ? "" : " AS " + name)
                            + " "
                            + column.type()
                            + (column.nullable() ? "?" : ""));
        }
        if (schema.size() > MAX_COLUMNS) {
            line(out, depth, "… " + count(schema.size() - MAX_COLUMNS) + " more columns");
        }
    }

    private static void aggregate(StringBuilder out, PhysicalPlan.Aggregate aggregate, int depth) {
        RowSchema input = aggregate.input().schema();
        line(
                out,
                depth,
                aggregate.keys().isEmpty()
                        ? "Aggregate"
                        : "Aggregate by " + KeyText.columns(aggregate.keys(), input));
        List<String> calls =
                aggregate.calls().stream().map(call -> KeyText.call(call, input)).toList();
        calls(out, calls, aggregate.schema(), depth + 1);
    }

    private static void join(StringBuilder out, PhysicalPlan.Join join, int depth) {
        Expression condition = join.condition();
        boolean cross = join.keys().isEmpty() && condition == null;
        line(
                out,
                depth,
                "Join "
                        + join.type().name().toLowerCase(Locale.ROOT)
                        + (cross ? " of all pairs" : "")
                        + (join.keys().isEmpty()
                                ? ""
                                : " on "
                                        + KeyText.keys(
                                                join.keys(),
                                                join.left().schema(),
                                                join.right().schema())));
        if (condition != null) {
            line(out, depth + 1, "condition " + ExpressionText.of(condition, join.pairs()));
        }
    }

    private static void window(StringBuilder out, PhysicalPlan.Window window, int depth) {
        RowSchema input = window.input().schema();
        line(
                out,
                depth,
                "Window"
                        + (window.partition().isEmpty()
                                ? ""
                                : " partition by " + KeyText.columns(window.partition(), input))
                        + (window.order().isEmpty()
                                ? ""
                                : " order by " + KeyText.order(window.order(), input)));
        List<String> calls =
                window.calls().stream().map(call -> KeyText.call(call, input)).toList();
        calls(out, calls, window.schema(), depth + 1);
    }

    /** The calls that are a schema's last columns. */
    private static void calls(StringBuilder out, List<String> calls, RowSchema schema, int depth) {
        int first = schema.size() - calls.size();
        for (int i = 0; i < Math.min(MAX_COLUMNS, calls.size()); i++) {
            ColumnSchema column = schema.column(first + i);
            line(
                    out,
                    depth,
                    calls.get(i)
                            + " AS "
                            + ExpressionText.name(column.name())
                            + " "
                            + column.type()
                            + (column.nullable() ? "?" : ""));
        }
        if (calls.size() > MAX_COLUMNS) {
            line(out, depth, "… " + count(calls.size() - MAX_COLUMNS) + " more columns");
        }
    }

    private static String more(int columns) {
        return columns <= MAX_COLUMNS ? "" : ", … " + count(columns - MAX_COLUMNS) + " more";
    }

    private static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    private static void line(StringBuilder out, int depth, String text) {
        out.repeat("  ", depth).append(text).append('\n');
    }
}
