package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** Short ways to write an expression and to evaluate it, over constants or one column. */
final class ExpressionTesting {

    static final ColumnType BOOL = new ColumnType.Bool();
    static final ColumnType INT = new ColumnType.Int(32, true);
    static final ColumnType LONG = new ColumnType.Int(64, true);
    static final ColumnType DOUBLE = new ColumnType.FloatingPoint(64);
    static final ColumnType TEXT = new ColumnType.Utf8();
    static final ColumnType DATE = new ColumnType.Date();

    private ExpressionTesting() {}

    static ColumnType type(String name) {
        return ColumnType.parse(name);
    }

    static Expression.Column column(int index, ColumnType type) {
        return new Expression.Column(index, type);
    }

    static Expression.Literal literal(ColumnType type, @Nullable Object value) {
        return TestValues.literal(type, value);
    }

    static Expression.Literal text(@Nullable String value) {
        return literal(TEXT, value);
    }

    static Expression.Literal integer(int value) {
        return literal(INT, value);
    }

    static Expression call(Function function, ColumnType type, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), type);
    }

    static Expression cast(Expression argument, ColumnType type) {
        return new Expression.Cast(argument, type, false);
    }

    static Expression tryCast(Expression argument, ColumnType type) {
        return new Expression.Cast(argument, type, true);
    }

    /** The text of a constant's value. */
    static @Nullable String constant(Expression expression) {
        return ExpressionCompiler.constant(expression).value();
    }

    /** The text of a literal after a conversion. */
    static @Nullable String cast(String from, @Nullable Object value, String to) {
        return constant(cast(literal(type(from), value), type(to)));
    }

    static void raises(ErrorCode code, Expression expression) {
        assertThatThrownBy(() -> constant(expression))
                .isInstanceOfSatisfying(
                        SpillwayException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    /** The expression's values over a plain column 0, whose values are given. */
    static List<@Nullable Object> over(
            ColumnType type, List<? extends @Nullable Object> values, Expression expression) {
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch batch =
                        new RecordBatch(
                                TestValues.schema(type),
                                List.of(TestValues.plain(type, values, allocator)),
                                values.size());
                VectorExpression compiled = ExpressionCompiler.compile(expression, batch.schema());
                ColumnVector result = compiled.evaluate(batch, allocator)) {
            return TestValues.values(expression.type(), result);
        }
    }

    static List<@Nullable Object> integers(@Nullable Long... values) {
        List<@Nullable Object> integers = new ArrayList<>();
        for (Long value : values) {
            integers.add(value == null ? null : BigInteger.valueOf(value));
        }
        return integers;
    }

    static List<@Nullable Object> list(@Nullable Object... values) {
        List<@Nullable Object> list = new ArrayList<>();
        for (Object value : values) {
            list.add(value);
        }
        return list;
    }
}
