package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.jspecify.annotations.Nullable;

/** The arguments of a text function, evaluated, and read row by row: texts and 32-bit integers. */
final class TextArguments implements AutoCloseable {

    private final List<RowOperand.Rows> operands = new ArrayList<>();
    private final List<@Nullable BytesReader> readers = new ArrayList<>();
    private int row;

    private TextArguments() {}

    static TextArguments open(List<RowOperand> arguments, Input input) {
        TextArguments open = new TextArguments();
        try {
            for (RowOperand argument : arguments) {
                RowOperand.Rows rows = argument.open(input);
                open.operands.add(rows);
                FieldVector vector = rows.vector();
                open.readers.add(vector instanceof IntVector ? null : new BytesReader(vector));
            }
            return open;
        } catch (Throwable t) {
            open.close();
            throw t;
        }
    }

    /** Checks that a function gets a text first, and what else it asks for. */
    static void check(Function function, List<Value> arguments, ColumnType... types) {
        for (int i = 0; i < arguments.size(); i++) {
            ColumnType found = arguments.get(i).type();
            if (i >= types.length || !types[i].equals(found)) {
                throw Failures.unsupported(
                        "Argument %d of %s is %s".formatted(i + 1, function, found));
            }
        }
    }

    /** Bytes of all texts of the first argument. */
    long bytes() {
        FieldVector vector = operands.getFirst().vector();
        return (long) OffHeap.getInt(Vectors.offsets(vector) + 4L * vector.getValueCount())
                - OffHeap.getInt(Vectors.offsets(vector));
    }

    /** Writes which rows have all arguments. */
    void validity(long to, int rows) {
        Bits.fill(to, rows, true);
        for (RowOperand.Rows operand : operands) {
            operand.restrict(to, rows);
        }
    }

    /** Has the row all arguments? */
    boolean complete(int ofRow) {
        for (RowOperand.Rows operand : operands) {
            if (!Bits.get(Vectors.validity(operand.vector()), operand.row(ofRow))) {
                return false;
            }
        }
        return true;
    }

    void moveTo(int newRow) {
        row = newRow;
    }

    int size() {
        return operands.size();
    }

    long address(int argument) {
        return reader(argument).address(operands.get(argument).row(row));
    }

    int length(int argument) {
        return reader(argument).length(operands.get(argument).row(row));
    }

    long end(int argument) {
        return address(argument) + length(argument);
    }

    int integer(int argument) {
        RowOperand.Rows operand = operands.get(argument);
        return OffHeap.getInt(Vectors.data(operand.vector()) + 4L * operand.row(row));
    }

    private BytesReader reader(int argument) {
        BytesReader reader = readers.get(argument);
        if (reader == null) {
            throw new IllegalStateException("argument " + argument + " is no text");
        }
        return reader;
    }

    @Override
    public void close() {
        operands.forEach(RowOperand.Rows::close);
    }
}
