package io.spillway.operator.join;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/** What memory batches take, about: buffers as allocators round them, to powers of two. */
final class Footprint {

    private Footprint() {}

    /**
     * Bytes of a batch.
     *
     * @param known dictionaries that have been counted; those of the batch are added
     */
    static long of(RecordBatch batch, Set<Dictionary> known) {
        long sum = 0;
        for (int i = 0; i < batch.schema().size(); i++) {
            sum +=
                    switch (batch.column(i)) {
                        case ColumnVector.Plain(FieldVector vector) -> of(vector);
                        case ColumnVector.Encoded(IntVector indices, Dictionary dictionary) ->
                                of(indices) + (known.add(dictionary) ? of(dictionary.values()) : 0);
                    };
        }
        return sum;
    }

    private static long of(FieldVector vector) {
        long sum = 0;
        for (ArrowBuf buffer : vector.getBuffers(false)) {
            long bytes = buffer.capacity();
            sum += bytes <= 1 ? bytes : Long.highestOneBit(bytes - 1) << 1;
        }
        return sum;
    }
}
