package io.spillway.scan.parquet.footer;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.parquet.CorruptStatistics;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * What a footer says of a column chunk's values, as far as it can be trusted. Small, since it stays
 * in the cache with its footer: long bounds are cut.
 *
 * @param order that the file declares for the values, by which the bounds compare
 * @param min a value that no other is below, PLAIN-encoded without a length; null if unknown
 * @param max a value that no other is above
 * @param nulls number of nulls, or -1 if unknown
 * @param nans number of NaNs, or -1 if unknown; bounds never count them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ChunkStatistics(
        ValueOrder order, byte @Nullable [] min, byte @Nullable [] max, long nulls, long nans) {

    /** What is known of chunks without statistics, by their order; shared. */
    private static final Map<ValueOrder, ChunkStatistics> NONE =
            Arrays.stream(ValueOrder.values())
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    order -> order,
                                    order -> new ChunkStatistics(order, null, null, -1, -1)));

    /** Bytes of a bound that are kept. */
    private static final int MAX_BOUND = 64;

    /** This object's heap. */
    private static final int WEIGHT = 40;

    private static final int ARRAY_WEIGHT = 16;

    /**
     * Takes over what can be trusted:
     *
     * <ul>
     *   <li>{@code min_value} and {@code max_value} if the file tells an order for the column that
     *       is known;
     *   <li>else the deprecated {@code min} and {@code max}, whose order is that of signed numbers,
     *       for types that have this order; for others only if both are the same, which then is the
     *       only value in any order. Writers that mixed up the bounds of byte arrays are known by
     *       name.
     *   <li>Counts if they are possible. The number of distinct values is never looked at.
     * </ul>
     *
     * @param columnOrder what the file says of the leaf, or null
     * @param createdBy who wrote the file, as it says itself
     * @param values number of values in the chunk, nulls included
     */
    public static ChunkStatistics of(
            @Nullable Statistics s,
            SchemaElement leaf,
            @Nullable ColumnOrder columnOrder,
            @Nullable String createdBy,
            long values) {
        ValueOrder order = ValueOrder.declared(leaf);
        Type type = leaf.getType();
        if (s == null || type == null) {
            return none(order);
        }
        long nulls = s.isSetNull_count() ? count(s.getNull_count(), values) : -1;
        long nans = s.isSetNan_count() ? count(s.getNan_count(), values) : -1;
        if (order != ValueOrder.UNDEFINED
                && isKnown(columnOrder)
                && (s.isSetMin_value() || s.isSetMax_value())) {
            return cut(order, s.getMin_value(), s.getMax_value(), nulls, nans);
        }
        byte[] min = s.getMin();
        byte[] max = s.getMax();
        boolean usable =
                order != ValueOrder.UNDEFINED
                        && min != null
                        && max != null
                        && !isMixedUp(type, createdBy);
        if (usable && (isSigned(order) || Arrays.equals(min, max))) {
            return cut(order, min, max, nulls, nans);
        }
        return new ChunkStatistics(order, null, null, nulls, nans);
    }

    /** Nothing is known but the order. */
    public static ChunkStatistics none(ValueOrder order) {
        return Objects.requireNonNull(NONE.get(order));
    }

    /** Whether the order is that of the type, or the total order of floats. */
    static boolean isKnown(@Nullable ColumnOrder order) {
        return order != null && (order.isSetTYPE_ORDER() || order.isSetIEEE_754_TOTAL_ORDER());
    }

    private static long count(long count, long values) {
        return count >= 0 && count <= values ? count : -1;
    }

    private static boolean isSigned(ValueOrder order) {
        return order == ValueOrder.SIGNED || order == ValueOrder.FLOATING;
    }

    private static boolean isMixedUp(Type type, @Nullable String createdBy) {
        return switch (type) {
            case BYTE_ARRAY ->
                    CorruptStatistics.shouldIgnoreStatistics(createdBy, PrimitiveTypeName.BINARY);
            case FIXED_LEN_BYTE_ARRAY ->
                    CorruptStatistics.shouldIgnoreStatistics(
                            createdBy, PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY);
            case BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE -> false;
        };
    }

    private static ChunkStatistics cut(
            ValueOrder order, byte @Nullable [] min, byte @Nullable [] max, long nulls, long nans) {
        byte[] low = min == null || min.length <= MAX_BOUND ? min : cutMin(order, min);
        byte[] high = max == null || max.length <= MAX_BOUND ? max : cutMax(order, max);
        boolean same = low != null && high != null && Arrays.equals(low, high);
        return new ChunkStatistics(order, low, same ? low : high, nulls, nans);
    }

    private static byte @Nullable [] cutMin(ValueOrder order, byte[] min) {
        return order == ValueOrder.BYTES ? Arrays.copyOf(min, MAX_BOUND) : null;
    }

    /** The first bytes, the last of them that is not the greatest one raised. */
    private static byte @Nullable [] cutMax(ValueOrder order, byte[] max) {
        for (int n = MAX_BOUND; n > 0 && order == ValueOrder.BYTES; n--) {
            if (max[n - 1] != -1) {
                byte[] bound = Arrays.copyOf(max, n);
                bound[n - 1]++;
                return bound;
            }
        }
        return null;
    }

    /** Bytes of heap that this takes. */
    long weight() {
        if (equals(none(order))) {
            return 0;
        }
        long low = min == null ? 0 : ARRAY_WEIGHT + min.length;
        long high = max == null || Arrays.equals(min, max) ? 0 : ARRAY_WEIGHT + max.length;
        return WEIGHT + low + high;
    }
}
