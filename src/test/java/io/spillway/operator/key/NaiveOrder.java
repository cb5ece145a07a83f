package io.spillway.operator.key;

import io.spillway.batch.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The order of values of tests, as a person would write it down. Maps, too, are ordered here. */
public final class NaiveOrder {

    private NaiveOrder() {}

    /** Of two values of a key column. */
    public static int compare(
            SortKey key, ColumnType type, @Nullable Object a, @Nullable Object b) {
        if (a == null || b == null) {
            int nullsLast = Boolean.compare(a == null, b == null);
            return key.nullsFirst() ? -nullsLast : nullsLast;
        }
        int order = compare(type, a, b);
        return key.descending() ? -order : order;
    }

    private static int compare(ColumnType type, Object a, Object b) {
        return switch (type) {
            case ColumnType.Bool _ -> Boolean.compare((Boolean) a, (Boolean) b);
            case ColumnType.FloatingPoint _ -> Double.compare((Double) a + 0.0, (Double) b + 0.0);
            case ColumnType.Decimal _ -> ((BigDecimal) a).compareTo((BigDecimal) b);
            case ColumnType.Utf8 _ -> Arrays.compareUnsigned(utf8(a), utf8(b));
            // Hexadecimal digits: they order as the bytes.
            case ColumnType.Binary _, ColumnType.FixedBinary _ ->
                    ((String) a).compareTo((String) b);
            case ColumnType.Int _, ColumnType.Date _, ColumnType.Time _, ColumnType.Timestamp _ ->
                    ((BigInteger) a).compareTo((BigInteger) b);
            case ColumnType.ListOf(ColumnType element, boolean _) ->
                    lists(List.of(element), (List<?>) a, (List<?>) b);
            case ColumnType.Struct struct ->
                    lists(
                            struct.fields().stream().map(field -> field.type()).toList(),
                            (List<?>) a,
                            (List<?>) b);
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    maps(List.of(key, value), (List<?>) a, (List<?>) b);
        };
    }

    private static byte[] utf8(Object text) {
        return ((String) text).getBytes(StandardCharsets.UTF_8);
    }

    /** Shorter first where equal so far; the types repeat. */
    private static int lists(List<ColumnType> types, List<?> a, List<?> b) {
        return IntStream.range(0, Math.min(a.size(), b.size()))
                .map(i -> inner(types.get(i % types.size()), a.get(i), b.get(i)))
                .filter(order -> order != 0)
                .findFirst()
                .orElse(Integer.compare(a.size(), b.size()));
    }

    private static int maps(List<ColumnType> pair, List<?> a, List<?> b) {
        return IntStream.range(0, Math.min(a.size(), b.size()))
                .map(i -> lists(pair, (List<?>) a.get(i), (List<?>) b.get(i)))
                .filter(order -> order != 0)
                .findFirst()
                .orElse(Integer.compare(a.size(), b.size()));
    }

    /** Inside nested values nulls are the greatest. */
    private static int inner(ColumnType type, @Nullable Object a, @Nullable Object b) {
        if (a == null || b == null) {
            return Boolean.compare(a == null, b == null);
        }
        return compare(type, a, b);
    }
}
