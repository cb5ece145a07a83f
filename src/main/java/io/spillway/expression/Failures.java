package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;

/** The errors that kernels raise for a row, and those the compiler raises for an expression. */
final class Failures {

    private static final int MAX_SHOWN = 100;

    private Failures() {}

    static SpillwayException overflow(String computation, ColumnType type) {
        return new SpillwayException(
                ErrorCode.ARITHMETIC_OVERFLOW, computation + " does not fit " + type);
    }

    static SpillwayException divisionByZero(String dividend) {
        return new SpillwayException(
                ErrorCode.DIVISION_BY_ZERO, dividend + " cannot be divided by 0");
    }

    static SpillwayException cast(String value, ColumnType from, ColumnType to) {
        String shown =
                value.length() > MAX_SHOWN
                        ? value.substring(0, value.offsetByCodePoints(0, MAX_SHOWN / 2)) + "…"
                        : value;
        return new SpillwayException(
                ErrorCode.INVALID_CAST,
                "'%s' of type %s cannot be converted to %s".formatted(shown, from, to));
    }

    static SpillwayException unsupported(String what) {
        return new SpillwayException(ErrorCode.TYPE_MISMATCH, what);
    }
}
