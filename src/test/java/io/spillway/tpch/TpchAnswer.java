package io.spillway.tpch;

import io.spillway.oracle.DuckDb;
import io.spillway.oracle.Expected;
import io.spillway.oracle.JsonRow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What DuckDB makes of a query, without its LIMIT.
 *
 * <p>Integers, decimals, dates and texts must be the same to the last digit. Where DuckDB gives a
 * float64 they may differ by 10⁻⁹ of the value: in averages of decimals (Q1), since it rounds twice
 * there and Spillway once; and in quotients of decimals (Q8, Q14, Q17), which it divides as floats,
 * while Spillway gives a decimal, rounded to its scale.
 *
 * @param query the query
 * @param rows all rows, in order
 */
record TpchAnswer(TpchQuery query, List<List<Expected>> rows) {

    private static final double FLOAT_ERROR = 1e-9;

    static TpchAnswer of(TpchQuery query, DuckDb duckdb) {
        return new TpchAnswer(query, duckdb.inOrder(query.unlimited()));
    }

    /**
     * Asserts that a result is the answer. Rows that the query's ORDER BY leaves in any order may
     * stand in any, and where LIMIT cuts through such rows, any of them may stand.
     */
    void check(TpchService.Result result) {
        long expected = Math.min(rows.size(), query.limit());
        if (result.lines().size() != expected) {
            throw new AssertionError(
                    "%s: %d rows, not %d".formatted(query, result.lines().size(), expected));
        }
        List<JsonRow> actual = result.lines().stream().map(JsonRow::parse).toList();
        for (int first = 0; first < actual.size(); ) {
            int end = tieEnd(actual.getFirst().names(), first);
            List<List<Expected>> left = new ArrayList<>(rows.subList(first, end));
            for (int row = first; row < Math.min(end, actual.size()); row++) {
                take(left, actual.get(row), result.types(), row);
            }
            first = end;
        }
    }

    /** The end of the rows whose order nothing says. */
    private int tieEnd(List<String> names, int first) {
        List<Integer> keys = query.orderBy().stream().map(names::indexOf).toList();
        int end = first + 1;
        while (end < rows.size()
                && keys.stream().allMatch(sameAs(rows.get(first), rows.get(end)))) {
            end++;
        }
        return end;
    }

    private static Predicate<Integer> sameAs(List<Expected> one, List<Expected> other) {
        return key -> one.get(key).equals(other.get(key));
    }

    private void take(List<List<Expected>> left, JsonRow actual, List<String> types, int row) {
        for (int i = 0; i < left.size(); i++) {
            if (matches(left.get(i), actual.cells(), types)) {
                left.remove(i);
                return;
            }
        }
        throw new AssertionError(
                "%s, row %d: expected one of %s, got %s".formatted(query, row, left, actual));
    }

    private static boolean matches(
            List<Expected> expected, List<JsonRow.Cell> cells, List<String> types) {
        if (expected.size() != cells.size()) {
            return false;
        }
        for (int i = 0; i < cells.size(); i++) {
            if (!matches(expected.get(i), cells.get(i), types.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(Expected expected, JsonRow.Cell cell, String type) {
        if (expected instanceof Expected.Floating(double value, _)
                && cell.kind() == JsonRow.Kind.NUMBER) {
            BigDecimal actual = new BigDecimal(cell.text());
            double rounding = type.startsWith("decimal") ? actual.ulp().doubleValue() / 2 : 0;
            return Math.abs(actual.doubleValue() - value)
                    <= rounding + FLOAT_ERROR * Math.abs(value);
        }
        return expected.matches(cell);
    }
}
