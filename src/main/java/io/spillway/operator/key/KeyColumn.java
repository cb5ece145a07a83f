package io.spillway.operator.key;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import io.spillway.expression.Decode;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.jspecify.annotations.Nullable;

/**
 * One key column of an encoder: plain values are left to {@link KeyValues}; the entries of a
 * dictionary are written once, and copied for each row that has them.
 */
final class KeyColumn implements AutoCloseable {

    /**
     * A dictionary of more entries for each row is not written out: few of its entries would be
     * used.
     */
    private static final int ENTRIES_PER_ROW = 4;

    private final KeyValues values;
    private final boolean nullable;
    private final String name;

    /** The rows of a dictionary-encoded column; else null. */
    private @Nullable IntVector indices;

    private @Nullable Entries entries;

    /** What was decoded because its dictionary is too large for the few rows. */
    private @Nullable FieldVector decoded;

    /** A dictionary's entries as keys, one after the other, that of null last. */
    private static final class Entries implements AutoCloseable {

        private final Dictionary dictionary;
        private final ArrowBuf bytes;
        private final int[] starts;

        Entries(Dictionary dictionary, ArrowBuf bytes, int[] starts) {
            this.dictionary = dictionary;
            this.bytes = bytes;
            this.starts = starts;
        }

        @Override
        public void close() {
            bytes.close();
        }
    }

    private KeyColumn(KeyValues values, ColumnSchema column) {
        this.values = values;
        this.nullable = column.nullable();
        this.name = column.name();
    }

    static KeyColumn of(ColumnSchema column, KeyForm form) {
        return new KeyColumn(KeyValues.of(column.type(), form, column.nullable()), column);
    }

    /** Bytes of each value, or {@link EncodedKeys#VARIABLE}. */
    int width() {
        return values.width();
    }

    /** Takes a look at a batch's column, until {@link #unbind}. */
    void bind(ColumnVector column, int rows, BufferAllocator allocator) {
        switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> bindPlain(vector);
            case ColumnVector.Encoded encoded -> {
                Dictionary dictionary = encoded.dictionary();
                if (!isKept(dictionary) && dictionary.size() > (long) ENTRIES_PER_ROW * rows) {
                    decoded = Decode.decode(encoded, allocator);
                    bindPlain(decoded);
                    return;
                }
                requireNulls(encoded.indices());
                if (!isKept(dictionary)) {
                    write(dictionary, allocator);
                }
                indices = encoded.indices();
            }
        }
    }

    private void bindPlain(FieldVector vector) {
        requireNulls(vector);
        values.bind(vector);
    }

    @SuppressWarnings("ReferenceEquality") // dictionaries are known by their identity
    private boolean isKept(Dictionary dictionary) {
        return entries != null && entries.dictionary == dictionary;
    }

    private void requireNulls(FieldVector vector) {
        if (!nullable && vector.getNullCount() != 0) {
            throw new IllegalStateException("'" + name + "' cannot be null, and is");
        }
    }

    private void write(Dictionary dictionary, BufferAllocator allocator) {
        close();
        int size = dictionary.size();
        int[] starts = new int[size + 2];
        values.bind(dictionary.values());
        try {
            values.addLengths(size, starts);
            starts[size] = values.absentLength();
            long total = 0;
            for (int i = 0; i <= size; i++) {
                int length = starts[i];
                starts[i] = (int) total;
                total += length;
                KeyEncoder.requireBytes(total);
            }
            starts[size + 1] = (int) total;
            ArrowBuf bytes = allocator.buffer(total + EncodedKeys.SLACK);
            entries = new Entries(dictionary, bytes, starts);
            values.write(size, bytes.memoryAddress(), starts.clone());
            values.writeAbsent(bytes.memoryAddress() + starts[size]);
        } finally {
            values.unbind();
        }
    }

    /** Adds the bytes that each row's value takes. */
    void addLengths(int rows, int[] lengths) {
        if (indices == null) {
            values.addLengths(rows, lengths);
            return;
        }
        int[] starts = Objects.requireNonNull(entries).starts;
        long data = indices.getDataBuffer().memoryAddress();
        Nulls nulls = Nulls.of(indices);
        for (int i = 0; i < rows; i++) {
            int entry = nulls.at(i) ? starts.length - 2 : OffHeap.getInt(data + 4L * i);
            lengths[i] = KeyValues.sum(lengths[i], starts[entry + 1] - starts[entry]);
        }
    }

    /**
     * Writes each row's value.
     *
     * @param base what positions count from
     * @param positions where each row's value goes; moved behind it
     */
    void write(int rows, long base, int[] positions) {
        if (indices == null) {
            values.write(rows, base, positions);
            return;
        }
        Entries from = Objects.requireNonNull(entries);
        int[] starts = from.starts;
        long bytes = from.bytes.memoryAddress();
        long data = indices.getDataBuffer().memoryAddress();
        Nulls nulls = Nulls.of(indices);
        for (int i = 0; i < rows; i++) {
            int entry = nulls.at(i) ? starts.length - 2 : OffHeap.getInt(data + 4L * i);
            int start = starts[entry];
            int length = starts[entry + 1] - start;
            KeyBytes.copy(bytes + start, base + positions[i], length);
            positions[i] += length;
        }
    }

    /** Lets go of the batch; what is known of its dictionary stays. */
    void unbind() {
        indices = null;
        values.unbind();
        FieldVector own = decoded;
        decoded = null;
        if (own != null) {
            own.close();
        }
    }

    @Override
    public void close() {
        Entries kept = entries;
        entries = null;
        if (kept != null) {
            kept.close();
        }
    }
}
