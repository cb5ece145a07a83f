package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts that a function has to know before there are rows: patterns, units. */
final class ConstantText {

    private ConstantText() {}

    /**
     * The text, or null for NULL.
     *
     * @param what it is, for the error
     * @throws SpillwayException {@code TYPE_MISMATCH} if it is no constant
     */
    static @Nullable String of(Expression expression, String what) {
        return constant(expression, what) instanceof Constant.Bytes(byte[] bytes)
                ? new String(bytes, StandardCharsets.UTF_8)
                : null;
    }

    /** The same as bytes. */
    static Constant constant(Expression expression, String what) {
        if (ColumnUse.of(expression) instanceof ColumnUse.None
                && expression.type() instanceof ColumnType.Utf8) {
            return Literals.parse(ExpressionCompiler.constant(expression));
        }
        throw Failures.unsupported(
                expression.type() instanceof ColumnType.Utf8
                        ? what + " must be a constant"
                        : "%s must be a constant text, not %s".formatted(what, expression.type()));
    }
}
