package io.spillway.oracle;

import java.util.Collections;
import java.util.List;

/** Compares a stream with the judge's result, in order, cell by cell. */
final class RowComparison {

    private RowComparison() {}

    /**
     * Asserts that lines are exactly the expected rows, but for the last digits of inexact columns.
     *
     * @param columns that rows must have, in order
     */
    static void assertSame(
            List<String> lines, List<Column> columns, List<List<Expected>> expected) {
        assertSame(
                lines,
                columns.stream().map(Column::name).toList(),
                columns.stream().map(c -> c.type() instanceof ValueType.Inexact).toList(),
                expected);
    }

    /**
     * Asserts that lines are exactly the expected rows.
     *
     * @param lines NDJSON lines, rows as objects
     * @param names the columns that rows must have, in order
     * @param expected the rows
     * @throws AssertionError naming the first cell that differs
     */
    static void assertExact(List<String> lines, List<String> names, List<List<Expected>> expected) {
        assertSame(lines, names, Collections.nCopies(names.size(), false), expected);
    }

    private static void assertSame(
            List<String> lines,
            List<String> names,
            List<Boolean> inexact,
            List<List<Expected>> expected) {
        for (int row = 0; row < Math.min(lines.size(), expected.size()); row++) {
            JsonRow actual = JsonRow.parse(lines.get(row));
            if (!actual.names().equals(names)) {
                throw new AssertionError(
                        "row %d has %s, not %s".formatted(row, actual.names(), names));
            }
            for (int i = 0; i < names.size(); i++) {
                Expected exact = expected.get(row).get(i);
                Expected cell = inexact.get(i) ? exact.near() : exact;
                if (!cell.matches(actual.cells().get(i))) {
                    throw new AssertionError(
                            "row %d, column '%s': expected %s, got %s"
                                    .formatted(row, names.get(i), cell, actual.cells().get(i)));
                }
            }
        }
        if (lines.size() != expected.size()) {
            throw new AssertionError("%d rows, not %d".formatted(lines.size(), expected.size()));
        }
    }
}
