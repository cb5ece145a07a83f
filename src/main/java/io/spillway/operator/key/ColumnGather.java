package io.spillway.operator.key;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import io.spillway.expression.ManySources;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** One column of several batches, of which values are taken by batch and row. */
final class ColumnGather {

    private static final Field INDEX =
            new ColumnSchema("index", new ColumnType.Int(Integer.SIZE, true), true).toArrow();

    /** The sources' values: their own, or their dictionaries'. */
    private final ManySources values;

    /** Addresses of the sources' indices into their dictionaries; 0 where there are none. */
    private final long[] indices;

    private final Nulls[] nulls;
    private final boolean encoded;

    /** The indices, if all sources have the same dictionary. */
    private final @Nullable ManySources sharedIndices;

    private final @Nullable Dictionary shared;

    @SuppressWarnings("ReferenceEquality") // dictionaries are known by their identity
    ColumnGather(ColumnSchema schema, List<ColumnVector> sources) {
        int count = sources.size();
        FieldVector[] vectors = new FieldVector[count];
        FieldVector[] ownIndices = new FieldVector[count];
        indices = new long[count];
        nulls = new Nulls[count];
        Dictionary first = null;
        int withDictionary = 0;
        boolean same = true;
        for (int s = 0; s < count; s++) {
            nulls[s] = KeyValues.NO_NULLS;
            switch (sources.get(s)) {
                case ColumnVector.Plain(FieldVector vector) -> vectors[s] = vector;
                case ColumnVector.Encoded(IntVector own, Dictionary dictionary) -> {
                    vectors[s] = dictionary.values();
                    ownIndices[s] = own;
                    if (own.getValueCount() > 0) {
                        indices[s] = own.getDataBuffer().memoryAddress();
                        nulls[s] = Nulls.of(own);
                    }
                    withDictionary++;
                    first = first == null ? dictionary : first;
                    same &= first == dictionary;
                }
            }
        }
        encoded = withDictionary > 0;
        values = new ManySources(schema.toArrow(), vectors);
        boolean all = encoded && same && withDictionary == count;
        shared = all ? first : null;
        sharedIndices = all ? new ManySources(INDEX, ownIndices) : null;
    }

    /** Values as {@link RowGather#gather} takes rows. */
    ColumnVector take(int[] sourceOf, int[] rowOf, int count, BufferAllocator allocator) {
        if (shared != null && sharedIndices != null) {
            FieldVector taken = sharedIndices.take(sourceOf, rowOf, count, allocator);
            return new ColumnVector.Encoded((IntVector) taken, shared.retain());
        }
        int[] rows = encoded ? entries(sourceOf, rowOf, count) : rowOf;
        return new ColumnVector.Plain(values.take(sourceOf, rows, count, allocator));
    }

    /** Rows as places in the dictionaries, where there are any. */
    private int[] entries(int[] sourceOf, int[] rowOf, int count) {
        int[] entries = new int[count];
        for (int i = 0; i < count; i++) {
            int source = sourceOf[i];
            int row = rowOf[i];
            long data = indices[source];
            if (row < 0 || data == 0) {
                entries[i] = row;
            } else {
                entries[i] = nulls[source].at(row) ? -1 : OffHeap.getInt(data + 4L * row);
            }
        }
        return entries;
    }
}
