package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.testing.NestedValues;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.jspecify.annotations.Nullable;

/**
 * Arrow vectors from Java values: {@code Boolean}, {@code Long} for all counts, {@code Double},
 * {@code Float}, {@code Short} for the bits of 16-bit numbers, {@code BigDecimal}, {@code byte[]};
 * nested ones as {@link NestedValues} has them.
 */
final class Vectors {

    private Vectors() {}

    static ColumnVector plain(
            ColumnSchema column,
            List<? extends @Nullable Object> values,
            BufferAllocator allocator) {
        return new ColumnVector.Plain(vector(column, values, allocator));
    }

    /** The same values by a dictionary of distinct entries. */
    static ColumnVector encoded(
            ColumnSchema column,
            List<? extends @Nullable Object> values,
            BufferAllocator allocator) {
        return encoded(column, values, 0, new Random(0), allocator);
    }

    /**
     * The same values by a dictionary that has some entries more than once, with indices at nulls
     * that point nowhere.
     *
     * @param repeated the share of values that have an entry of their own although there is one
     */
    static ColumnVector encoded(
            ColumnSchema column,
            List<? extends @Nullable Object> values,
            double repeated,
            Random random,
            BufferAllocator allocator) {
        List<Object> entries = new ArrayList<>();
        Map<Object, List<Integer>> places = new LinkedHashMap<>();
        for (Object value : values) {
            if (value != null
                    && (!places.containsKey(key(value)) || random.nextDouble() < repeated)) {
                places.computeIfAbsent(key(value), _ -> new ArrayList<>()).add(entries.size());
                entries.add(value);
            }
        }
        IntVector indices = new IntVector("indices", allocator);
        indices.allocateNew(values.size());
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            if (value == null) {
                indices.set(i, random.nextInt());
                indices.setNull(i);
            } else {
                List<Integer> choice = Objects.requireNonNull(places.get(key(value)));
                indices.set(i, choice.get(random.nextInt(choice.size())));
            }
        }
        indices.setValueCount(values.size());
        return new ColumnVector.Encoded(
                indices, new Dictionary(vector(column, entries, allocator)));
    }

    static RecordBatch batch(RowSchema schema, List<ColumnVector> columns) {
        return new RecordBatch(schema, columns, columns.isEmpty() ? 0 : columns.get(0).size());
    }

    /** Equal for values of the same bits: NaN can have many. */
    private static Object key(Object value) {
        return switch (value) {
            case byte[] bytes -> ByteBuffer.wrap(bytes);
            case Double d -> Double.doubleToRawLongBits(d);
            case Float f -> Float.floatToRawIntBits(f);
            default -> value;
        };
    }

    private static FieldVector vector(
            ColumnSchema column,
            List<? extends @Nullable Object> values,
            BufferAllocator allocator) {
        return nested(column, values, null, allocator);
    }

    /** The same, with values under nulls. */
    static FieldVector nested(
            ColumnSchema column,
            List<? extends @Nullable Object> values,
            NestedValues.@Nullable Hidden hidden,
            BufferAllocator allocator) {
        return NestedValues.vector(
                column,
                values,
                (type, leaves, from) -> leaf(new ColumnSchema("leaf", type, true), leaves, from),
                hidden,
                allocator);
    }

    private static FieldVector leaf(
            ColumnSchema column,
            List<? extends @Nullable Object> values,
            BufferAllocator allocator) {
        FieldVector vector = column.toArrow().createVector(allocator);
        vector.setInitialCapacity(values.size());
        vector.allocateNew();
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            if (value != null) {
                set(vector, i, value);
            }
        }
        vector.setValueCount(values.size());
        return vector;
    }

    private static void set(FieldVector vector, int i, Object value) {
        switch (vector) {
            case BitVector bits -> bits.setSafe(i, (Boolean) value ? 1 : 0);
            case DecimalVector decimals -> decimals.setSafe(i, (BigDecimal) value);
            case BaseVariableWidthVector wide -> wide.setSafe(i, (byte[]) value);
            case BaseFixedWidthVector fixed -> {
                fixed.setIndexDefined(i);
                long at = (long) i * fixed.getTypeWidth();
                switch (value) {
                    case byte[] bytes -> fixed.getDataBuffer().setBytes(at, bytes);
                    case Double d -> fixed.getDataBuffer().setDouble(at, d);
                    case Float f -> fixed.getDataBuffer().setFloat(at, f);
                    case Number n -> {
                        for (int b = 0; b < fixed.getTypeWidth(); b++) {
                            fixed.getDataBuffer()
                                    .setByte(at + b, (byte) (n.longValue() >>> (8 * b)));
                        }
                    }
                    default -> throw new IllegalArgumentException(value.toString());
                }
            }
            default -> throw new IllegalArgumentException(vector.toString());
        }
    }
}
