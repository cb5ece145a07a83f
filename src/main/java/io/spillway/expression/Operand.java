package io.spillway.expression;

import io.spillway.batch.ColumnVector;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * A column that a kernel reads: its own to free, or lent by the {@link Input} and valid while that
 * is open. Closing does the right thing in both cases.
 */
final class Operand implements AutoCloseable {

    private final ColumnVector column;
    private final boolean lent;

    private Operand(ColumnVector column, boolean lent) {
        this.column = column;
        this.lent = lent;
    }

    static Operand lent(ColumnVector column) {
        return new Operand(column, true);
    }

    static Operand lent(FieldVector vector) {
        return new Operand(new ColumnVector.Plain(vector), true);
    }

    static Operand owned(ColumnVector column) {
        return new Operand(column, false);
    }

    static Operand owned(FieldVector vector) {
        return new Operand(new ColumnVector.Plain(vector), false);
    }

    ColumnVector column() {
        return column;
    }

    /** The vector of an operand that is known to be plain. */
    FieldVector vector() {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded _ -> throw new IllegalStateException("not a plain operand");
        };
    }

    /** In plain form; this operand is closed or becomes the result. */
    Operand decoded(BufferAllocator allocator) {
        return switch (column) {
            case ColumnVector.Plain _ -> this;
            case ColumnVector.Encoded encoded -> {
                try (this) {
                    yield owned(Decode.decode(encoded, allocator));
                }
            }
        };
    }

    /** The column, for the caller to own; a lent one gives a slice that shares its buffers. */
    ColumnVector take() {
        return lent ? column.slice(0, column.size()) : column;
    }

    @Override
    public void close() {
        if (!lent) {
            column.close();
        }
    }
}
