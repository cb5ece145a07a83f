package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.expression.Decode;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** The columns of a batch in plain form, each decoded once, when it is first asked for. */
final class PlainColumns implements AutoCloseable {

    private final RecordBatch batch;
    private final BufferAllocator allocator;
    private final @Nullable FieldVector[] decoded;

    /**
     * @param batch stays the caller's, and open for as long as this is
     */
    PlainColumns(RecordBatch batch, BufferAllocator allocator) {
        this.batch = batch;
        this.allocator = allocator;
        this.decoded = new FieldVector[batch.schema().size()];
    }

    /** A column, which stays this object's. */
    FieldVector vector(int column) {
        return switch (batch.column(column)) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded encoded -> {
                FieldVector known = decoded[column];
                if (known == null) {
                    known = Decode.decode(encoded, allocator);
                    decoded[column] = known;
                }
                yield known;
            }
        };
    }

    @Override
    public void close() {
        for (FieldVector vector : decoded) {
            if (vector != null) {
                vector.close();
            }
        }
    }
}
