package io.spillway.operator.window;

import io.spillway.batch.ColumnType;
import io.spillway.operator.key.NaiveOrder;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.sort.SortTable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Window functions as a person would compute them, row by row. */
final class NaiveWindow {

    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);

    /** A sum that does not fit. */
    static final class Overflow extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final SortTable table;
    private final List<SortKey> order;
    private final List<List<@Nullable Object>> rows;
    private final int at;

    /** A row in its partition. */
    private NaiveWindow(
            SortTable table, List<SortKey> order, List<List<@Nullable Object>> rows, int at) {
        this.table = table;
        this.order = order;
        this.rows = rows;
        this.at = at;
    }

    /** A call's values for all rows, in the table's order. */
    static List<@Nullable Object> values(
            SortTable table, List<Integer> partition, List<SortKey> order, WindowCall call) {
        List<SortKey> keys =
                new ArrayList<>(partition.stream().map(c -> new SortKey(c, false, false)).toList());
        keys.addAll(order);
        List<List<@Nullable Object>> sorted = table.sorted(keys);
        List<@Nullable Object> values =
                new ArrayList<>(Collections.nCopies(sorted.size(), (Object) null));
        List<SortKey> same = keys.subList(0, partition.size());
        for (int from = 0; from < sorted.size(); ) {
            int to = from;
            while (to < sorted.size()
                    && table.compare(same, sorted.get(from), sorted.get(to)) == 0) {
                to++;
            }
            List<List<@Nullable Object>> rows = sorted.subList(from, to);
            for (int i = 0; i < rows.size(); i++) {
                BigInteger number = (BigInteger) Objects.requireNonNull(rows.get(i).getLast());
                values.set(
                        number.intValueExact(), new NaiveWindow(table, order, rows, i).value(call));
            }
            from = to;
        }
        return values;
    }

    private @Nullable Object value(WindowCall call) {
        int n = rows.size();
        return switch (call.function()) {
            case ROW_NUMBER -> BigInteger.valueOf(at + 1L);
            case RANK -> BigInteger.valueOf(firstPeer() + 1L);
            case DENSE_RANK -> {
                long groups = 1;
                for (int i = 1; i <= at; i++) {
                    groups += table.compare(order, rows.get(i - 1), rows.get(i)) != 0 ? 1 : 0;
                }
                yield BigInteger.valueOf(groups);
            }
            case PERCENT_RANK -> n == 1 ? 0.0 : (double) firstPeer() / (n - 1);
            case CUME_DIST -> (lastPeer() + 1.0) / n;
            case NTILE -> {
                long tiles = parameter(call);
                long tile = 0;
                long row = -1;
                while (row < at) {
                    row += n / tiles + (tile < n % tiles ? 1 : 0);
                    tile++;
                }
                yield BigInteger.valueOf(tile);
            }
            case LAG -> shifted(call, -parameter(call));
            case LEAD -> shifted(call, parameter(call));
            case FIRST_VALUE -> {
                List<@Nullable Object> values = frame(call, true);
                yield values.isEmpty() ? null : values.getFirst();
            }
            case LAST_VALUE -> {
                List<@Nullable Object> values = frame(call, true);
                yield values.isEmpty() ? null : values.getLast();
            }
            case NTH_VALUE -> {
                List<@Nullable Object> values = frame(call, true);
                long nth = parameter(call);
                yield nth <= values.size() ? values.get((int) nth - 1) : null;
            }
            case COUNT -> BigInteger.valueOf(frame(call, false).size());
            case COUNT_ROWS -> BigInteger.valueOf(frameRows(call.frame()).size());
            case SUM -> sum(call);
            case AVG -> mean(call);
            case MIN -> extreme(call, false);
            case MAX -> extreme(call, true);
        };
    }

    private static long parameter(WindowCall call) {
        return Long.parseLong(Objects.requireNonNull(call.parameters().getFirst().value()));
    }

    private int firstPeer() {
        int i = at;
        while (i > 0 && table.compare(order, rows.get(i - 1), rows.get(at)) == 0) {
            i--;
        }
        return i;
    }

    private int lastPeer() {
        int i = at;
        while (i + 1 < rows.size() && table.compare(order, rows.get(i + 1), rows.get(at)) == 0) {
            i++;
        }
        return i;
    }

    private @Nullable Object shifted(WindowCall call, long by) {
        long row = at + by;
        if (row >= 0 && row < rows.size()) {
            return rows.get((int) row).get(call.arguments().getFirst());
        }
        return call.arguments().size() > 1 ? rows.get(at).get(call.arguments().get(1)) : null;
    }

    /** The argument's values in the frame. */
    private List<@Nullable Object> frame(WindowCall call, boolean nulls) {
        List<@Nullable Object> values = new ArrayList<>();
        for (List<@Nullable Object> row : frameRows(call.frame())) {
            Object value = row.get(call.arguments().getFirst());
            if (nulls || value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private List<List<@Nullable Object>> frameRows(WindowFrame frame) {
        List<List<@Nullable Object>> in = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (isFrom(frame, i) && isUpTo(frame, i)) {
                in.add(rows.get(i));
            }
        }
        return in;
    }

    private boolean isFrom(WindowFrame frame, int row) {
        boolean counts = frame.unit() == WindowFrame.Unit.ROWS;
        return switch (frame.start().kind()) {
            case UNBOUNDED_PRECEDING -> true;
            case UNBOUNDED_FOLLOWING -> false;
            case CURRENT_ROW -> row >= (counts ? at : firstPeer());
            case PRECEDING ->
                    counts ? row >= at - offset(frame.start()) : near(frame.start(), row) >= 0;
            case FOLLOWING ->
                    counts ? row >= at + offset(frame.start()) : near(frame.start(), row) >= 0;
        };
    }

    private boolean isUpTo(WindowFrame frame, int row) {
        boolean counts = frame.unit() == WindowFrame.Unit.ROWS;
        return switch (frame.end().kind()) {
            case UNBOUNDED_PRECEDING -> false;
            case UNBOUNDED_FOLLOWING -> true;
            case CURRENT_ROW -> row <= (counts ? at : lastPeer());
            case PRECEDING ->
                    counts ? row <= at - offset(frame.end()) : near(frame.end(), row) <= 0;
            case FOLLOWING ->
                    counts ? row <= at + offset(frame.end()) : near(frame.end(), row) <= 0;
        };
    }

    private static long offset(WindowFrame.Bound bound) {
        return Long.parseLong(
                Objects.requireNonNull(Objects.requireNonNull(bound.offset()).value()));
    }

    /** How a row stands to a bound that is told by a difference of keys, in the window's order. */
    private int near(WindowFrame.Bound bound, int row) {
        SortKey key = order.getFirst();
        Object own = rows.get(at).get(key.column());
        Object other = rows.get(row).get(key.column());
        ColumnType type = table.types().get(key.column());
        if (own == null || (own instanceof Double d && d.isNaN())) {
            return table.compare(order, rows.get(row), rows.get(at));
        }
        if (other == null) {
            return key.nullsFirst() ? -1 : 1;
        }
        boolean adds = bound.kind() == WindowFrame.Bound.Kind.FOLLOWING != key.descending();
        String text = Objects.requireNonNull(Objects.requireNonNull(bound.offset()).value());
        Object limit =
                switch (own) {
                    case Double d -> {
                        double off = Double.parseDouble(text);
                        yield adds ? d + off : d - off;
                    }
                    case BigDecimal d ->
                            adds ? d.add(new BigDecimal(text)) : d.subtract(new BigDecimal(text));
                    case BigInteger i ->
                            adds ? i.add(new BigInteger(text)) : i.subtract(new BigInteger(text));
                    default -> throw new IllegalArgumentException(type.toString());
                };
        return NaiveOrder.compare(
                new SortKey(key.column(), key.descending(), key.nullsFirst()), type, other, limit);
    }

    private @Nullable Object sum(WindowCall call) {
        List<@Nullable Object> values = frame(call, false);
        if (values.isEmpty()) {
            return null;
        }
        if (values.getFirst() instanceof Double) {
            return real(values);
        }
        BigDecimal sum = exact(values);
        if (values.getFirst() instanceof BigInteger) {
            BigInteger whole = sum.toBigIntegerExact();
            if (whole.compareTo(MAX_LONG) > 0 || whole.compareTo(MIN_LONG) < 0) {
                throw new Overflow();
            }
            return whole;
        }
        if (sum.unscaledValue().abs().compareTo(BigInteger.TEN.pow(38)) >= 0) {
            throw new Overflow();
        }
        return sum;
    }

    private @Nullable Object mean(WindowCall call) {
        List<@Nullable Object> values = frame(call, false);
        if (values.isEmpty()) {
            return null;
        }
        return values.getFirst() instanceof Double
                ? real(values) / values.size()
                : exact(values)
                        .divide(BigDecimal.valueOf(values.size()), new MathContext(70))
                        .doubleValue();
    }

    private static BigDecimal exact(List<@Nullable Object> values) {
        BigDecimal sum = BigDecimal.ZERO;
        for (Object value : values) {
            sum = sum.add(value instanceof BigInteger i ? new BigDecimal(i) : (BigDecimal) value);
        }
        return sum;
    }

    private static double real(List<@Nullable Object> values) {
        double special = 0;
        BigDecimal sum = BigDecimal.ZERO;
        boolean negativeZeros = true;
        for (Object value : values) {
            double number = (Double) Objects.requireNonNull(value);
            negativeZeros &= Double.doubleToRawLongBits(number) == Long.MIN_VALUE;
            if (Double.isFinite(number)) {
                sum = sum.add(new BigDecimal(number));
            } else {
                special += number;
            }
        }
        return special != 0 ? special : negativeZeros ? -0.0 : sum.doubleValue();
    }

    private @Nullable Object extreme(WindowCall call, boolean greatest) {
        int column = call.arguments().getFirst();
        Comparator<Object> order =
                (a, b) ->
                        NaiveOrder.compare(
                                new SortKey(column, greatest, false),
                                table.types().get(column),
                                a,
                                b);
        return frame(call, false).stream().map(Objects::requireNonNull).min(order).orElse(null);
    }
}
