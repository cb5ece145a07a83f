package io.spillway.scan;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * How the columns that a plan wants come from one file, whose own columns may have narrower types,
 * may be missing, or may be told by the name of its folder.
 *
 * @param inner the columns to ask the format for, in the file's own types; perhaps none
 * @param expressions over {@code inner}, one for each wanted column, of its type: the column as it
 *     is, a widening {@link Expression.Cast} of it, or a literal
 */
public record FileColumns(RowSchema inner, List<Expression> expressions) {

    public FileColumns {
        expressions = List.copyOf(expressions);
    }

    /**
     * The columns of a file.
     *
     * @param wanted any of the common schema's columns, by name, in any order
     */
    public static FileColumns of(ScanFile file, RowSchema wanted) {
        List<ColumnSchema> inner = new ArrayList<>();
        List<Expression> expressions = new ArrayList<>();
        for (ColumnSchema column : wanted.columns()) {
            String name = column.name();
            if (file.constants().containsKey(name)) {
                expressions.add(new Expression.Literal(column.type(), file.constants().get(name)));
                continue;
            }
            ColumnType own = file.types().getOrDefault(name, column.type());
            Expression value = new Expression.Column(inner.size(), own);
            inner.add(new ColumnSchema(name, own, column.nullable()));
            expressions.add(
                    own.equals(column.type())
                            ? value
                            : new Expression.Cast(value, column.type(), false));
        }
        return new FileColumns(new RowSchema(inner), expressions);
    }

    /** Whether the file has the wanted columns as they are, so that nothing is to be computed. */
    public boolean isIdentity() {
        return expressions.stream().allMatch(Expression.Column.class::isInstance);
    }

    /**
     * An expression over wanted columns as one over {@link #inner} columns, with the same value for
     * every row of the file. Recurses as deep as the expression.
     */
    public Expression translate(Expression expression) {
        return expression.withColumns(column -> expressions.get(column.index()));
    }
}
