package io.spillway.plan.logical;

import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanText;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlNode;

/**
 * A query in SQL as algebra: bounded, parsed, checked, and then Calcite's work as far as it goes.
 */
final class QueryPlanner {

    private QueryPlanner() {}

    /**
     * The query's rows.
     *
     * @throws SpillwayException with the text's pointer, and with position, found, expected and
     *     suggestion as far as they are known
     */
    static Relation plan(PlanText query, PlanningContext context) {
        try {
            ExpressionTokens tokens = ExpressionTokens.of(query.text());
            BoundedExpression bounded =
                    BoundedExpression.of(tokens, query.text(), context.limits());
            context.expressions().count(bounded.nodes());
            SqlNode parsed = ExpressionParser.parseQuery(bounded, () -> names(tokens, context));
            QueryText text = new QueryText(bounded);
            QueryTables tables = new QueryTables();
            SqlNode checked = new QueryChecker(context, text, tables).query(parsed);
            return new QueryConverter(context, text, tables).convert(checked);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, query.pointer());
        }
    }

    /** Names that may be meant in a query that cannot be parsed: one may want quotes. */
    private static Collection<String> names(ExpressionTokens tokens, PlanningContext context) {
        Set<String> names = new HashSet<>(context.datasetNames());
        Set<String> datasets = new HashSet<>(names);
        datasets.retainAll(
                tokens.list().stream().map(t -> tokens.text(t).replace("\"", "")).toList());
        for (String dataset : datasets) {
            names.addAll(columns(dataset, context));
        }
        return names;
    }

    private static List<String> columns(String dataset, PlanningContext context) {
        try {
            return context.dataset(dataset).names();
        } catch (SpillwayException e) {
            // What is wrong with the text is told, not what would be wrong next.
            return List.of();
        }
    }
}
