package io.spillway.plan.logical;

import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanText;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The texts of one step, parsed and checked to become parts of one query over the step's input. Not
 * thread-safe.
 */
final class GroupTexts {

    /** What the query knows the input as; no text can name it. */
    static final SqlIdentifier INPUT = new SqlIdentifier("\0input", SqlParserPos.ZERO);

    private final PlanningContext context;
    private final Relation input;
    private final QueryText text = QueryText.ofParts();
    private final QueryTables tables = new QueryTables();

    GroupTexts(PlanningContext context, Relation input) {
        this.context = context;
        this.input = input;
        tables.add(INPUT.getSimple(), input);
    }

    QueryText text() {
        return text;
    }

    /** A column of the input, by its exact name. */
    static SqlIdentifier column(String name) {
        return new SqlIdentifier(name, SqlParserPos.ZERO);
    }

    /** A text that is exactly a column's name is that column; else it is an expression. */
    SqlNode value(PlanText written, ExpressionChecker checker) {
        try {
            return switch (input.find(written.text())) {
                case Relation.Available _ -> column(written.text());
                case Relation.Unreadable unreadable ->
                        throw unreadable.error().with(SpillwayException.POSITION, 0);
                case null -> expression(written, checker);
            };
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, written.pointer());
        }
    }

    private SqlNode expression(PlanText written, ExpressionChecker checker) {
        QueryText.Part part = add(written);
        SqlNode parsed = ExpressionParser.parse(part.text(), input.names(), part.firstLine());
        SqlNode checked = checker.check(parsed);
        context.expressions().checkShape(checked);
        return checked;
    }

    /** The frame of a window, over an order that stands for any. */
    SqlWindow frame(PlanText written) {
        try {
            QueryText.Part part = add(written);
            return ExpressionParser.parseFrame(part.text(), part.firstLine());
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, written.pointer());
        }
    }

    private QueryText.Part add(PlanText written) {
        BoundedExpression bounded =
                BoundedExpression.of(
                        ExpressionTokens.of(written.text()), written.text(), context.limits());
        context.expressions().count(bounded.nodes());
        return text.add(bounded, written.pointer());
    }

    /** The rows of a query made of the texts. */
    Relation convert(SqlNode query) {
        return new QueryConverter(context, text, tables).convert(query);
    }
}
