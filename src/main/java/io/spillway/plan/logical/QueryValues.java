package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.catalog.Widening;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.plan.document.PlanLimits;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * VALUES of a query: rows of constant expressions, which are computed now. Columns are named {@code
 * column1}, {@code column2}, … unless an alias says otherwise, and have the narrowest type that
 * holds all their values unchanged.
 */
final class QueryValues {

    private final PlanningContext context;
    private final QueryText text;

    QueryValues(PlanningContext context, QueryText text) {
        this.context = context;
        this.text = text;
    }

    /** The name of a column that has none, by its position from 0 on. */
    static String name(int position) {
        return "column" + (position + 1);
    }

    /** A row without columns. */
    static Relation oneRow(PlanningContext context) {
        RowSchema none = new RowSchema(List.of());
        return Relation.of(
                LiteralRows.create(context.cluster(), none, List.of(List.of())), none, List.of());
    }

    Relation relation(SqlBasicCall values) {
        Relation nothing = oneRow(context);
        List<SqlNode> rows = values.getOperandList();
        int width = ((SqlCall) rows.getFirst()).operandCount();
        context.checkColumns(width);
        if ((long) rows.size() * width > context.limits().values()) {
            throw PlanLimits.tooLarge(
                            "values",
                            context.limits().values(),
                            "The query has %d values".formatted((long) rows.size() * width))
                    .with(SpillwayException.POSITION, text.position(values));
        }
        List<List<@Nullable Literal>> cells = new ArrayList<>();
        for (SqlNode row : rows) {
            List<SqlNode> items = ((SqlCall) row).getOperandList();
            if (items.size() != width) {
                throw text.error(
                        ErrorCode.INVALID_EXPRESSION,
                        "The row has %d values, the first one %d".formatted(items.size(), width),
                        row);
            }
            List<@Nullable Literal> cell = new ArrayList<>();
            for (SqlNode item : items) {
                cell.add(constant(item, nothing));
            }
            cells.add(cell);
        }
        List<ColumnSchema> columns = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            columns.add(column(i, cells, rows));
        }
        RowSchema schema = new RowSchema(columns);
        return Relation.of(
                LiteralRows.create(context.cluster(), schema, converted(cells, schema)),
                schema,
                List.of());
    }

    /** The value of an expression, or null for NULL without a type. */
    private @Nullable Literal constant(SqlNode item, Relation nothing) {
        try {
            ExpressionChecker checker = new ExpressionChecker(text, nothing);
            RexNode value = context.expressions().resolve(item, checker, text.text(item), nothing);
            return value.getType().getSqlTypeName() == SqlTypeName.NULL
                    ? null
                    : ExpressionCompiler.constant(RexTranslator.translate(value));
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POSITION, text.position(item));
        }
    }

    private ColumnSchema column(
            int index, List<List<@Nullable Literal>> cells, List<SqlNode> rows) {
        Set<ColumnType> types = new LinkedHashSet<>();
        ColumnType common = null;
        boolean nullable = false;
        for (int r = 0; r < cells.size(); r++) {
            Literal cell = cells.get(r).get(index);
            nullable |= cell == null || cell.value() == null;
            if (cell == null || !types.add(cell.type())) {
                continue;
            }
            ColumnType before = common;
            common = Widening.common(types);
            if (common == null) {
                throw text.error(
                                ErrorCode.TYPE_MISMATCH,
                                "The value is of type %s, those before of type %s; cast one"
                                        .formatted(cell.type(), before),
                                ((SqlCall) rows.get(r)).operand(index))
                        .with(SpillwayException.EXPECTED, List.of(String.valueOf(before)));
            }
        }
        if (common == null) {
            throw text.error(
                    ErrorCode.TYPE_MISMATCH,
                    "The values are NULL and have no type; write CAST(NULL AS …)",
                    ((SqlCall) rows.getFirst()).operand(index));
        }
        return new ColumnSchema(name(index), common, nullable);
    }

    private static List<List<Literal>> converted(
            List<List<@Nullable Literal>> cells, RowSchema schema) {
        List<List<Literal>> rows = new ArrayList<>();
        for (List<@Nullable Literal> row : cells) {
            List<Literal> converted = new ArrayList<>();
            for (int i = 0; i < schema.size(); i++) {
                Literal cell = row.get(i);
                ColumnType type = schema.column(i).type();
                converted.add(
                        cell == null
                                ? new Literal(type, null)
                                : ExpressionCompiler.constant(Coercions.cast(cell, type)));
            }
            rows.add(List.copyOf(converted));
        }
        return rows;
    }
}
