package io.spillway.catalog;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The narrowest type that holds every value of several types unchanged. It depends on the set of
 * types and not on the order in which they are met; only the order of a struct's fields does.
 *
 * <pre>
 * integers                  the narrowest integer for all; for uint64 and signed ones decimal(20,0)
 * integers and decimals     a decimal with room for all digits on both sides of the point, up to 38
 * integers and floats       the narrowest float, not under theirs, whose mantissa holds the integers
 * dates, local timestamps   the timestamp of the finest unit; dates alone stay dates
 * UTC timestamps, times     the finest unit
 * bytes of fixed lengths    binary
 * lists, structs, maps      the same of what they consist of; struct fields by name
 * </pre>
 *
 * Anything else has no common type: text and numbers, local and UTC timestamps, truth values and
 * integers, 64-bit integers and floats, decimals and floats.
 */
public final class Widening {

    private Widening() {}

    /**
     * The common type, or null if there is none.
     *
     * @param types at least one
     */
    public static @Nullable ColumnType common(Collection<ColumnType> types) {
        ColumnType first = types.iterator().next();
        if (types.stream().allMatch(first::equals)) {
            return first;
        }
        return switch (first) {
            case ColumnType.Int _, ColumnType.FloatingPoint _, ColumnType.Decimal _ ->
                    number(types);
            case ColumnType.Date _ -> timestamp(types, false);
            case ColumnType.Timestamp(var _, boolean utc) -> timestamp(types, utc);
            case ColumnType.Time _ -> time(types);
            case ColumnType.Binary _, ColumnType.FixedBinary _ -> binary(types);
            case ColumnType.ListOf _ -> list(types);
            case ColumnType.Struct _ -> struct(types);
            case ColumnType.MapOf _ -> map(types);
            case ColumnType.Bool _, ColumnType.Utf8 _ -> null;
        };
    }

    private static @Nullable ColumnType number(Collection<ColumnType> types) {
        int floatBits = 0;
        int scale = 0;
        int whole = 0;
        int signedBits = 0;
        int unsignedBits = 0;
        boolean decimals = false;
        for (ColumnType type : types) {
            switch (type) {
                case ColumnType.Int(int bits, boolean signed) -> {
                    whole = Math.max(whole, digits(bits, signed));
                    if (signed) {
                        signedBits = Math.max(signedBits, bits);
                    } else {
                        unsignedBits = Math.max(unsignedBits, bits);
                    }
                }
                case ColumnType.FloatingPoint(int bits) -> floatBits = Math.max(floatBits, bits);
                case ColumnType.Decimal(int precision, int decimalScale) -> {
                    decimals = true;
                    whole = Math.max(whole, precision - decimalScale);
                    scale = Math.max(scale, decimalScale);
                }
                case ColumnType _ -> {
                    return null;
                }
            }
        }
        if (floatBits > 0) {
            return decimals ? null : floating(floatBits, Math.max(signedBits - 1, unsignedBits));
        }
        // A signed integer holds unsigned ones of half its width.
        int bits = unsignedBits == 0 ? signedBits : Math.max(signedBits, 2 * unsignedBits);
        if (decimals || (signedBits > 0 && bits > Long.SIZE)) {
            return whole + scale > 38 ? null : new ColumnType.Decimal(whole + scale, scale);
        }
        return signedBits == 0
                ? new ColumnType.Int(unsignedBits, false)
                : new ColumnType.Int(bits, true);
    }

    /** Decimal digits of an integer type's largest value. */
    private static int digits(int bits, boolean signed) {
        return switch (bits) {
            case 8 -> 3;
            case 16 -> 5;
            case 32 -> 10;
            default -> signed ? 19 : 20;
        };
    }

    /**
     * The narrowest float of so many bits at least, whose mantissa has the other number of bits.
     */
    private static @Nullable ColumnType floating(int bits, int mantissa) {
        int needed = mantissa <= 11 ? 16 : mantissa <= 24 ? 32 : 64;
        return mantissa > 53 ? null : new ColumnType.FloatingPoint(Math.max(bits, needed));
    }

    private static @Nullable ColumnType timestamp(Collection<ColumnType> types, boolean utc) {
        ColumnType.TimeUnit finest = ColumnType.TimeUnit.SECOND;
        for (ColumnType type : types) {
            switch (type) {
                case ColumnType.Date _ when !utc -> {}
                case ColumnType.Timestamp(var unit, boolean theirs) when theirs == utc ->
                        finest = finer(finest, unit);
                case ColumnType _ -> {
                    return null;
                }
            }
        }
        return new ColumnType.Timestamp(finest, utc);
    }

    private static @Nullable ColumnType time(Collection<ColumnType> types) {
        ColumnType.TimeUnit finest = ColumnType.TimeUnit.SECOND;
        for (ColumnType type : types) {
            if (!(type instanceof ColumnType.Time(var unit))) {
                return null;
            }
            finest = finer(finest, unit);
        }
        return new ColumnType.Time(finest);
    }

    private static ColumnType.TimeUnit finer(ColumnType.TimeUnit a, ColumnType.TimeUnit b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static @Nullable ColumnType binary(Collection<ColumnType> types) {
        return types.stream()
                        .allMatch(
                                t ->
                                        t instanceof ColumnType.Binary
                                                || t instanceof ColumnType.FixedBinary)
                ? new ColumnType.Binary()
                : null;
    }

    private static @Nullable ColumnType list(Collection<ColumnType> types) {
        Set<ColumnType> elements = new LinkedHashSet<>();
        boolean nullable = false;
        for (ColumnType type : types) {
            if (!(type instanceof ColumnType.ListOf(var element, boolean nulls))) {
                return null;
            }
            elements.add(element);
            nullable |= nulls;
        }
        ColumnType element = common(elements);
        return element == null ? null : new ColumnType.ListOf(element, nullable);
    }

    private static @Nullable ColumnType map(Collection<ColumnType> types) {
        Set<ColumnType> keys = new LinkedHashSet<>();
        Set<ColumnType> values = new LinkedHashSet<>();
        boolean nullable = false;
        for (ColumnType type : types) {
            if (!(type instanceof ColumnType.MapOf(var key, var value, boolean nulls))) {
                return null;
            }
            keys.add(key);
            values.add(value);
            nullable |= nulls;
        }
        ColumnType key = common(keys);
        ColumnType value = common(values);
        return key == null || value == null ? null : new ColumnType.MapOf(key, value, nullable);
    }

    private static @Nullable ColumnType struct(Collection<ColumnType> types) {
        Map<String, List<ColumnSchema>> fields = new LinkedHashMap<>();
        for (ColumnType type : types) {
            if (!(type instanceof ColumnType.Struct(var theirs))) {
                return null;
            }
            theirs.forEach(f -> fields.computeIfAbsent(f.name(), _ -> new ArrayList<>()).add(f));
        }
        List<ColumnSchema> common = new ArrayList<>();
        for (Map.Entry<String, List<ColumnSchema>> field : fields.entrySet()) {
            List<ColumnSchema> found = field.getValue();
            ColumnType type = common(found.stream().map(ColumnSchema::type).toList());
            if (type == null) {
                return null;
            }
            boolean nullable =
                    found.size() < types.size() || found.stream().anyMatch(ColumnSchema::nullable);
            common.add(new ColumnSchema(field.getKey(), type, nullable));
        }
        return new ColumnType.Struct(common);
    }
}
