package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;

/** Reads one value of some type from text. Keeps the value last read. */
abstract class TextParser {

    private long low;
    private long high;

    /**
     * A parser of a type of fixed width but bytes.
     *
     * @throws SpillwayException {@code TYPE_MISMATCH} for other types
     */
    static TextParser of(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool() -> new NumberParsers.Truths();
            case ColumnType.Int integer -> new NumberParsers.Integers(integer);
            case ColumnType.FloatingPoint(int bits) -> new NumberParsers.Floats(bits);
            case ColumnType.Decimal decimal -> new NumberParsers.Decimals(decimal);
            case ColumnType.Date() -> new TemporalParsers.Dates();
            case ColumnType.Time(ColumnType.TimeUnit unit) -> new TemporalParsers.Times(unit);
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean _) ->
                    new TemporalParsers.Timestamps(unit);
            case ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw CastKernels.unsupported(new ColumnType.Utf8(), type);
        };
    }

    /** Reads the whole text; false if it is not a value of the type. */
    abstract boolean parse(TextScanner text);

    /** The value read, as {@link Constant.Fixed} holds it. */
    final long low() {
        return low;
    }

    final long high() {
        return high;
    }

    final boolean found(long value) {
        low = value;
        high = 0;
        return true;
    }

    final boolean found(Int128 value) {
        low = value.low();
        high = value.high();
        return true;
    }
}
