package io.spillway.batch;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/**
 * Memory that batches keep from being freed: whole pieces as the allocator gave them, each counted
 * once, though a batch may be a slice of it. Whoever collects batches asks for this, not for what
 * their rows take. One thread at a time.
 */
public final class HeldBytes {

    private final Set<ReferenceManager> known = Collections.newSetFromMap(new IdentityHashMap<>());

    /** What a batch holds, and no batch before it; dictionaries are left out. */
    public long columns(RecordBatch batch) {
        long bytes = 0;
        for (int i = 0; i < batch.schema().size(); i++) {
            bytes +=
                    switch (batch.column(i)) {
                        case ColumnVector.Plain(FieldVector vector) -> of(vector);
                        case ColumnVector.Encoded(IntVector indices, var _) -> of(indices);
                    };
        }
        return bytes;
    }

    /** What the batch's dictionaries hold, and none before. */
    public long dictionaries(RecordBatch batch) {
        long bytes = 0;
        for (int i = 0; i < batch.schema().size(); i++) {
            if (batch.column(i) instanceof ColumnVector.Encoded(var _, var dictionary)) {
                bytes += of(dictionary.values());
            }
        }
        return bytes;
    }

    private long of(FieldVector vector) {
        long bytes = 0;
        for (ArrowBuf buffer : vector.getBuffers(false)) {
            ReferenceManager memory = buffer.getReferenceManager();
            if (known.add(memory)) {
                bytes += memory.getSize();
            }
        }
        return bytes;
    }
}
