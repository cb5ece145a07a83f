package io.spillway.expression;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * The rows that an expression is evaluated on. Columns are lent; what an input has to derive from
 * them (selected rows, plain forms) it makes when first asked for, keeps, and frees when closed.
 */
abstract class Input implements AutoCloseable {

    private final int rows;
    private final BufferAllocator allocator;
    private final Scratch scratch;
    private final Map<Integer, ColumnVector> columns = new HashMap<>();
    private final Map<Integer, FieldVector> decoded = new HashMap<>();
    private final List<ColumnVector> owned = new ArrayList<>();

    private Input(int rows, BufferAllocator allocator, Scratch scratch) {
        this.rows = rows;
        this.allocator = allocator;
        this.scratch = scratch;
    }

    /** All rows of a batch, which stays the caller's. */
    static Input of(RecordBatch batch, BufferAllocator allocator, Scratch scratch) {
        return new Input(batch.rowCount(), allocator, scratch) {
            @Override
            ColumnVector fetch(int index) {
                return batch.column(index);
            }
        };
    }

    /** One column, whatever its position; stays the caller's. */
    static Input of(FieldVector only, BufferAllocator allocator, Scratch scratch) {
        ColumnVector column = new ColumnVector.Plain(only);
        return new Input(only.getValueCount(), allocator, scratch) {
            @Override
            ColumnVector fetch(int index) {
                return column;
            }
        };
    }

    /** The selected rows of this input, which must stay open; the selection must not change. */
    Input narrow(Selection selection) {
        Input outer = this;
        return new Input(selection.count(), allocator, scratch) {
            @Override
            ColumnVector fetch(int index) {
                return keep(Gather.gather(outer.column(index), selection, outer.allocator));
            }
        };
    }

    abstract ColumnVector fetch(int index);

    final int rows() {
        return rows;
    }

    final BufferAllocator allocator() {
        return allocator;
    }

    final Scratch scratch() {
        return scratch;
    }

    /** A column in the form it has; lent. */
    final ColumnVector column(int index) {
        return columns.computeIfAbsent(index, this::fetch);
    }

    /** A column in plain form; lent. */
    final FieldVector plain(int index) {
        return switch (column(index)) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded encoded ->
                    decoded.computeIfAbsent(
                            index,
                            i -> {
                                FieldVector vector = Decode.decode(encoded, allocator);
                                keep(new ColumnVector.Plain(vector));
                                return vector;
                            });
        };
    }

    final ColumnVector keep(ColumnVector column) {
        owned.add(column);
        return column;
    }

    @Override
    public final void close() {
        owned.forEach(ColumnVector::close);
        owned.clear();
    }
}
