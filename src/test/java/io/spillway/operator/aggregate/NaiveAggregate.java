package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.NaiveOrder;
import io.spillway.operator.key.SortKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Aggregations of Java values, as a person would write them down. */
final class NaiveAggregate {

    private final RowSchema schema;

    NaiveAggregate(RowSchema schema) {
        this.schema = schema;
    }

    /** Keys that are equal have equal forms. */
    static @Nullable Object canonical(@Nullable Object value) {
        return switch (value) {
            case Double number -> number == 0 ? (Object) 0.0 : number;
            case List<?> list -> {
                List<@Nullable Object> parts = new ArrayList<>();
                list.forEach(part -> parts.add(canonical(part)));
                yield parts;
            }
            case null -> null;
            default -> value;
        };
    }

    private static List<@Nullable Object> key(List<@Nullable Object> row, List<Integer> columns) {
        List<@Nullable Object> key = new ArrayList<>();
        columns.forEach(column -> key.add(canonical(row.get(column))));
        return key;
    }

    static List<List<@Nullable Object>> distinct(
            List<List<@Nullable Object>> rows, List<Integer> keys) {
        Map<List<@Nullable Object>, List<@Nullable Object>> first = new LinkedHashMap<>();
        for (List<@Nullable Object> row : rows) {
            first.putIfAbsent(key(row, keys), row);
        }
        return new ArrayList<>(first.values());
    }

    List<List<@Nullable Object>> aggregate(
            List<List<@Nullable Object>> rows, List<Integer> keys, List<AggregateCall> calls) {
        Map<List<@Nullable Object>, List<List<@Nullable Object>>> groups = new LinkedHashMap<>();
        if (keys.isEmpty()) {
            groups.put(List.of(), new ArrayList<>());
        }
        for (List<@Nullable Object> row : rows) {
            groups.computeIfAbsent(key(row, keys), _ -> new ArrayList<>()).add(row);
        }
        List<List<@Nullable Object>> results = new ArrayList<>();
        for (List<List<@Nullable Object>> group : groups.values()) {
            List<@Nullable Object> out = new ArrayList<>();
            keys.forEach(key -> out.add(group.getFirst().get(key)));
            calls.forEach(call -> out.add(result(call, group)));
            results.add(out);
        }
        return results;
    }

    private @Nullable Object result(AggregateCall call, List<List<@Nullable Object>> group) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (List<@Nullable Object> row : group) {
            if (call.filter() == null || Boolean.TRUE.equals(row.get(call.filter()))) {
                rows.add(row);
            }
        }
        boolean keepsNulls =
                switch (call.function()) {
                    case COUNT_ROWS, FIRST, LAST, ARRAY_AGG, SINGLE_VALUE -> true;
                    default -> false;
                };
        if (!keepsNulls) {
            rows.removeIf(row -> call.arguments().stream().anyMatch(a -> row.get(a) == null));
        }
        List<List<@Nullable Object>> counted =
                call.distinct() ? distinct(rows, call.arguments()) : rows;
        if (!call.order().isEmpty()) {
            counted = sorted(counted, call.order());
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (List<@Nullable Object> row : counted) {
            values.add(call.arguments().isEmpty() ? row : row.get(call.arguments().getFirst()));
        }
        return values(call, values);
    }

    private List<List<@Nullable Object>> sorted(
            List<List<@Nullable Object>> rows, List<SortKey> order) {
        List<List<@Nullable Object>> sorted = new ArrayList<>(rows);
        sorted.sort(
                (a, b) -> {
                    for (SortKey key : order) {
                        int c =
                                NaiveOrder.compare(
                                        key,
                                        schema.column(key.column()).type(),
                                        a.get(key.column()),
                                        b.get(key.column()));
                        if (c != 0) {
                            return c;
                        }
                    }
                    return 0;
                });
        return sorted;
    }

    private @Nullable Object values(AggregateCall call, List<@Nullable Object> values) {
        return switch (call.function()) {
            case COUNT, COUNT_ROWS -> BigInteger.valueOf(values.size());
            case APPROX_COUNT_DISTINCT ->
                    BigInteger.valueOf(
                            values.stream().map(NaiveAggregate::canonical).distinct().count());
            case ARRAY_AGG -> values.isEmpty() ? null : values;
            default -> values.isEmpty() ? null : some(call, values);
        };
    }

    private @Nullable Object some(AggregateCall call, List<@Nullable Object> values) {
        return switch (call.function()) {
            case SUM -> sum(call, values);
            case AVG -> mean(values);
            case MIN, BOOL_AND -> extreme(call, values, false);
            case MAX, BOOL_OR -> extreme(call, values, true);
            case VAR_SAMP -> variance(values, true);
            case VAR_POP -> variance(values, false);
            case STDDEV_SAMP -> root(variance(values, true));
            case STDDEV_POP -> root(variance(values, false));
            case FIRST, ANY_VALUE, SINGLE_VALUE -> values.getFirst();
            case LAST -> values.getLast();
            case PERCENTILE_CONT -> continuous(fraction(call), values);
            case PERCENTILE_DISC ->
                    values.get(Math.max(0, (int) Math.ceil(fraction(call) * values.size()) - 1));
            case COUNT, COUNT_ROWS, APPROX_COUNT_DISTINCT, ARRAY_AGG ->
                    throw new IllegalArgumentException();
        };
    }

    private static double fraction(AggregateCall call) {
        return Double.parseDouble(Objects.requireNonNull(call.parameters().getFirst().value()));
    }

    private static double continuous(double fraction, List<@Nullable Object> values) {
        double place = fraction * (values.size() - 1);
        double low = number(values.get((int) Math.floor(place)));
        double high = number(values.get((int) Math.ceil(place)));
        double rest = place - Math.floor(place);
        return rest == 0 || low == high ? low : low + rest * (high - low);
    }

    private static Object sum(AggregateCall call, List<@Nullable Object> values) {
        if (values.getFirst() instanceof Double) {
            double sum = 0;
            for (Object value : values) {
                sum += number(value);
            }
            return sum;
        }
        BigDecimal sum = exact(values);
        return call.type() instanceof ColumnType.Decimal ? sum : sum.toBigIntegerExact();
    }

    private static BigDecimal exact(List<@Nullable Object> values) {
        BigDecimal sum =
                values.getFirst() instanceof BigDecimal first
                        ? BigDecimal.ZERO.setScale(first.scale())
                        : BigDecimal.ZERO;
        for (Object value : values) {
            sum =
                    sum.add(
                            value instanceof BigDecimal decimal
                                    ? decimal
                                    : new BigDecimal((BigInteger) Objects.requireNonNull(value)));
        }
        return sum;
    }

    private static double mean(List<@Nullable Object> values) {
        if (values.getFirst() instanceof Double) {
            double sum = 0;
            for (Object value : values) {
                sum += number(value);
            }
            return sum / values.size();
        }
        return exact(values)
                .divide(BigDecimal.valueOf(values.size()), new MathContext(80))
                .doubleValue();
    }

    private static double number(@Nullable Object value) {
        return ((Number) Objects.requireNonNull(value)).doubleValue();
    }

    private static @Nullable Double variance(List<@Nullable Object> values, boolean sample) {
        if (sample && values.size() == 1) {
            return null;
        }
        double mean = 0;
        double squares = 0;
        int count = 0;
        for (Object value : values) {
            double difference = number(value) - mean;
            mean += difference / ++count;
            squares += difference * (number(value) - mean);
        }
        return squares / (count - (sample ? 1 : 0));
    }

    private static @Nullable Double root(@Nullable Double value) {
        return value == null ? null : (Double) Math.sqrt(value);
    }

    private @Nullable Object extreme(
            AggregateCall call, List<@Nullable Object> values, boolean greatest) {
        SortKey key = new SortKey(0, greatest, false);
        ColumnType type = schema.column(call.arguments().getFirst()).type();
        return Collections.min(values, (a, b) -> NaiveOrder.compare(key, type, a, b));
    }
}
