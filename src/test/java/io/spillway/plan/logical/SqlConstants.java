package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.plan.physical.PhysicalPlan;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** SQL text without columns, computed by the kernels that compute rows. */
final class SqlConstants {

    private SqlConstants() {}

    /** The resolved expression for a text. */
    static Expression resolved(String sql) {
        return ((PhysicalPlan.Project) Plans.compile("t", Plans.select(sql + " AS result")).plan())
                .expressions()
                .getFirst();
    }

    /** The value, in SQL's text form, or null. */
    static @Nullable String value(String sql) {
        Expression resolved = resolved(sql);
        boolean text = resolved.type().equals(new ColumnType.Utf8());
        Expression asText =
                text ? resolved : new Expression.Cast(resolved, new ColumnType.Utf8(), false);
        return ExpressionCompiler.constant(asText).value();
    }

    /** Asserts that computing raises an error, at submission or for a row. */
    static void raises(ErrorCode code, String sql) {
        Assertions.assertThatThrownBy(() -> value(sql))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> Assertions.assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }
}
