package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.jspecify.annotations.Nullable;

/**
 * An expression of one column. Where the column is dictionary-encoded, the expression is computed
 * once for each entry, and the result is encoded by a dictionary of the results, which is kept for
 * as long as the same dictionary comes in.
 */
final class DictionaryValue implements Value {

    /**
     * Results for a dictionary.
     *
     * @param entries result of each entry, perhaps followed by that of null
     * @param nullEntries entries whose result is null, as bits; null if there are none
     * @param indexOfNull entry with the result of null, or -1 if that is null
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Derived(Dictionary entries, long @Nullable [] nullEntries, int indexOfNull) {}

    private final Value inner;
    private final int column;
    private final ColumnType columnType;
    private final DictionaryUse use = new DictionaryUse();
    private @Nullable Derived derived;

    DictionaryValue(Value inner, int column, ColumnType columnType) {
        this.inner = inner;
        this.column = column;
        this.columnType = columnType;
    }

    @Override
    public ColumnType type() {
        return inner.type();
    }

    @Override
    public boolean total() {
        return inner.total();
    }

    /** Frees the results that are kept. */
    void forget() {
        use.forget();
        drop();
    }

    private void drop() {
        if (derived != null) {
            derived.entries.release();
            derived = null;
        }
    }

    @Override
    public Operand evaluate(Input input) {
        return switch (input.column(column)) {
            case ColumnVector.Plain _ -> inner.evaluate(input);
            case ColumnVector.Encoded encoded -> {
                Derived known = derived(encoded.dictionary(), input);
                yield known == null
                        ? inner.evaluate(input)
                        : Operand.owned(encode(encoded, known, input.allocator()));
            }
        };
    }

    private @Nullable Derived derived(Dictionary dictionary, Input input) {
        if (!use.meet(dictionary, input.rows())) {
            drop();
        }
        if (derived == null && use.pays(dictionary)) {
            try {
                derived = derive(dictionary, input);
            } catch (SpillwayException | OutOfMemoryException e) {
                use.fail();
            }
        }
        return derived;
    }

    private Derived derive(Dictionary dictionary, Input input) {
        BufferAllocator allocator = input.allocator();
        FieldVector values = dictionary.values();
        if (givesNullForNull(input)) {
            return derive(values, -1, input);
        }
        int size = dictionary.size();
        int[] rows = new int[size + 1];
        for (int i = 0; i < size; i++) {
            rows[i] = i;
        }
        rows[size] = -1;
        try (FieldVector withNull = Gather.take(values, rows, size + 1, allocator)) {
            return derive(withNull, size, input);
        }
    }

    private boolean givesNullForNull(Input input) {
        try (FieldVector nothing = Vectors.nulls(Vectors.field(columnType), 1, input.allocator());
                Input one = Input.of(nothing, input.allocator(), input.scratch());
                Operand result = inner.plain(one)) {
            return result.vector().getNullCount() == 1;
        }
    }

    private Derived derive(FieldVector values, int indexOfNull, Input input) {
        try (Input entries = Input.of(values, input.allocator(), input.scratch())) {
            ColumnVector.Plain results =
                    new ColumnVector.Plain(ownVector(inner.plain(entries).take()));
            FieldVector vector = results.vector();
            long[] nulls = null;
            if (vector.getNullCount() != 0) {
                int size = vector.getValueCount();
                nulls = new long[Bits.words(size)];
                for (int w = 0; w < nulls.length; w++) {
                    nulls[w] = ~Bits.load(Vectors.validity(vector), w, size) & Bits.mask(w, size);
                }
                // Entries are never null: nobody will point to these.
                Bits.fill(Vectors.validity(vector), size, true);
            }
            return new Derived(new Dictionary(vector), nulls, indexOfNull);
        }
    }

    private static FieldVector ownVector(ColumnVector column) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded _ -> throw new IllegalStateException("not plain");
        };
    }

    private static ColumnVector encode(
            ColumnVector.Encoded column, Derived derived, BufferAllocator allocator) {
        IntVector indices = column.indices();
        boolean keepsNulls = derived.indexOfNull < 0 || indices.getNullCount() == 0;
        if (derived.nullEntries == null && keepsNulls) {
            ColumnVector same = new ColumnVector.Plain(indices).slice(0, indices.getValueCount());
            return new ColumnVector.Encoded((IntVector) ownVector(same), derived.entries.retain());
        }
        int rows = indices.getValueCount();
        long from = Vectors.data(indices);
        long[] nulls = derived.nullEntries;
        try (FixedOutput out = new FixedOutput(indices.getField(), rows, allocator)) {
            for (int w = 0; w < Bits.words(rows); w++) {
                long valid = Bits.load(Vectors.validity(indices), w, rows);
                int base = w << 6;
                int end = Math.min(64, rows - base);
                long outValid = 0;
                for (int i = 0; i < end; i++) {
                    int index =
                            (valid >>> i & 1) != 0
                                    ? OffHeap.getInt(from + 4L * (base + i))
                                    : derived.indexOfNull;
                    boolean isNull =
                            index < 0 || (nulls != null && (nulls[index >>> 6] >>> index & 1) != 0);
                    outValid |= (isNull ? 0L : 1L) << i;
                    OffHeap.putInt(out.data() + 4L * (base + i), isNull ? 0 : index);
                }
                Bits.store(out.validity(), w, rows, outValid);
            }
            return new ColumnVector.Encoded((IntVector) out.take(), derived.entries.retain());
        }
    }
}
