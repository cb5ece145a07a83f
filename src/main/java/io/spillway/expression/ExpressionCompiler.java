package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Compiles resolved expressions to vector kernels. Parts without columns are computed once, here,
 * unless they raise an error: that is then raised by the rows that need them, if any. The depth of
 * an expression is bounded by whoever makes it; compiling and evaluating recurse that deep.
 */
public final class ExpressionCompiler {

    /** Bytes that computing a constant may take; no honest constant comes near. */
    private static final long CONSTANT_LIMIT = 64L << 20;

    private ExpressionCompiler() {}

    /**
     * An expression over rows of a schema.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION} for a column that the schema does not
     *     have with that type, a literal whose text is not of its type, or a malformed pattern;
     *     {@code TYPE_MISMATCH} for operands or a cast that have no meaning
     */
    public static VectorExpression compile(Expression expression, RowSchema input) {
        checkColumns(expression, input);
        KernelBuilder builder = new KernelBuilder(true);
        Value value = builder.value(expression);
        boolean computes = !(value instanceof ColumnValue || value instanceof ConstantValue);
        return new VectorExpression(
                value, builder.derived(), computes ? new Scratch() : Scratch.NONE);
    }

    /**
     * A condition over rows of a schema.
     *
     * @throws SpillwayException as {@link #compile}; {@code TYPE_MISMATCH} if it is not of type
     *     {@code bool}
     */
    public static VectorPredicate predicate(Expression expression, RowSchema input) {
        if (!(expression.type() instanceof ColumnType.Bool)) {
            throw Failures.unsupported("A condition of type " + expression.type());
        }
        checkColumns(expression, input);
        KernelBuilder builder = new KernelBuilder(true);
        Condition condition = builder.condition(expression);
        return new VectorPredicate(condition, builder.derived(), new Scratch());
    }

    /**
     * The value of an expression without columns, by the same kernels that compute rows.
     *
     * @throws SpillwayException as {@link #compile}; as {@link VectorExpression#evaluate}; {@code
     *     MEMORY_LIMIT} if it grows beyond all measure
     */
    public static Expression.Literal constant(Expression expression) {
        if (expression instanceof Expression.Literal literal) {
            return literal;
        }
        KernelBuilder builder = new KernelBuilder(false);
        Value value = builder.unfolded(expression);
        ColumnType type = expression.type();
        try (BufferAllocator allocator = new RootAllocator(CONSTANT_LIMIT);
                FieldVector row =
                        Vectors.nulls(Vectors.field(new ColumnType.Bool()), 1, allocator);
                Input input = Input.of(row, allocator, new Scratch());
                Operand result = value.plain(input)) {
            return Literals.of(type, result.vector(), 0);
        } catch (OutOfMemoryException e) {
            throw new SpillwayException(
                    ErrorCode.MEMORY_LIMIT, "A constant of the expression is too large", e);
        }
    }

    private static void checkColumns(Expression expression, RowSchema input) {
        switch (expression) {
            case Expression.Column(int index, ColumnType type) -> {
                if (index < 0
                        || index >= input.size()
                        || !input.column(index).type().equals(type)) {
                    throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION,
                            "There is no column " + index + " of type " + type);
                }
            }
            case Expression.Literal _ -> {}
            case Expression.Call call -> checkColumns(call.arguments(), input);
            case Expression.Cast cast -> checkColumns(cast.argument(), input);
            case Expression.Case choice -> {
                for (Expression.Branch branch : choice.branches()) {
                    checkColumns(branch.when(), input);
                    checkColumns(branch.then(), input);
                }
                checkColumns(choice.otherwise(), input);
            }
            case Expression.In in -> checkColumns(in.argument(), input);
        }
    }

    private static void checkColumns(List<Expression> expressions, RowSchema input) {
        for (Expression expression : expressions) {
            checkColumns(expression, input);
        }
    }
}
