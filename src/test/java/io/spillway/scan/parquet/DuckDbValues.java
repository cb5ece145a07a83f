package io.spillway.scan.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Blob;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What DuckDB's driver gives, in the form of {@link Values} for a column of the given type; fails
 * if the two are not of one kind.
 */
final class DuckDbValues {

    private DuckDbValues() {}

    static @Nullable String text(@Nullable Object value, ColumnType type) throws SQLException {
        return switch (value) {
            case null -> null;
            case BigDecimal d -> d.toPlainString();
            case Blob b -> HexFormat.of().formatHex(b.getBytes(1, (int) b.length()));
            case UUID u -> u.toString().replace("-", "");
            case LocalDate d -> Long.toString(d.toEpochDay());
            case LocalTime t when type instanceof ColumnType.Time(ColumnType.TimeUnit unit) ->
                    Long.toString(t.toNanoOfDay() / (1_000_000_000 / unit.perSecond()));
            case Timestamp t when type instanceof ColumnType.Timestamp(var unit, _) ->
                    instant(t.toLocalDateTime(), unit);
            case OffsetDateTime t when type instanceof ColumnType.Timestamp(var unit, _) ->
                    instant(t.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime(), unit);
            case Array a when type instanceof ColumnType.ListOf t -> list(a, t);
            case Struct s when type instanceof ColumnType.Struct t -> struct(s, t);
            case Map<?, ?> m when type instanceof ColumnType.MapOf t -> map(m, t);
            case Timestamp _, OffsetDateTime _, LocalTime _, Array _, Struct _, Map<?, ?> _ ->
                    throw new AssertionError(value + " in a column of type " + type);
            default -> value.toString();
        };
    }

    private static String instant(LocalDateTime time, ColumnType.TimeUnit unit) {
        Instant instant = time.toInstant(ZoneOffset.UTC);
        long fraction = instant.getNano() / (1_000_000_000 / unit.perSecond());
        return Long.toString(
                Math.addExact(
                        Math.multiplyExact(instant.getEpochSecond(), unit.perSecond()), fraction));
    }

    private static String list(Array list, ColumnType.ListOf type) throws SQLException {
        List<String> elements = new ArrayList<>();
        for (Object element : (Object[]) list.getArray()) {
            elements.add(inner(element, type.element()));
        }
        return NestedValues.list(elements);
    }

    private static String struct(Struct struct, ColumnType.Struct type) throws SQLException {
        List<String> fields = new ArrayList<>();
        Object[] values = struct.getAttributes();
        for (int i = 0; i < values.length; i++) {
            ColumnSchema field = type.fields().get(i);
            fields.add(NestedValues.field(field.name(), inner(values[i], field.type())));
        }
        return NestedValues.struct(fields);
    }

    /** The driver keeps the order of the pairs, and of two of one key the last. */
    private static String map(Map<?, ?> map, ColumnType.MapOf type) throws SQLException {
        List<String> pairs = new ArrayList<>();
        for (Map.Entry<?, ?> e : map.entrySet()) {
            pairs.add(
                    NestedValues.pair(
                            inner(e.getKey(), type.key()), inner(e.getValue(), type.value())));
        }
        return NestedValues.map(pairs);
    }

    private static String inner(@Nullable Object value, ColumnType type) throws SQLException {
        return NestedValues.quoted(text(value, type), type);
    }
}
