package io.spillway.batch;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The type of a column, resolved. A narrow mirror of Arrow's types, so that every place that
 * depends on a type is an exhaustive switch. The text form is the type's name in the interface and
 * in stored plans; {@link #parse} reads it back.
 */
public sealed interface ColumnType {

    /** Truth value; {@code bool}. */
    record Bool() implements ColumnType {
        @Override
        public String toString() {
            return "bool";
        }
    }

    /** Integer of 8, 16, 32 or 64 bits; {@code int32}, {@code uint8}. */
    record Int(int bits, boolean signed) implements ColumnType {
        @Override
        public String toString() {
            return (signed ? "int" : "uint") + bits;
        }
    }

    /**
     * IEEE 754 binary number of 16, 32 or 64 bits; {@code float16}, {@code float32}, {@code
     * float64}.
     */
    record FloatingPoint(int bits) implements ColumnType {
        @Override
        public String toString() {
            return "float" + bits;
        }
    }

    /** Decimal of up to 38 digits, stored as Arrow's 128-bit decimal; {@code decimal(10,2)}. */
    record Decimal(int precision, int scale) implements ColumnType {
        @Override
        public String toString() {
            return "decimal(" + precision + "," + scale + ")";
        }
    }

    /** UTF-8 text; {@code utf8}. */
    record Utf8() implements ColumnType {
        @Override
        public String toString() {
            return "utf8";
        }
    }

    /** Bytes of any length; {@code binary}. */
    record Binary() implements ColumnType {
        @Override
        public String toString() {
            return "binary";
        }
    }

    /** Bytes of one fixed length; {@code binary(16)}. */
    record FixedBinary(int width) implements ColumnType {
        @Override
        public String toString() {
            return "binary(" + width + ")";
        }
    }

    /** Days since 1970-01-01, 32 bits; {@code date}. */
    record Date() implements ColumnType {
        @Override
        public String toString() {
            return "date";
        }
    }

    /** Time of day; 32 bits for milliseconds, else 64; {@code time(us)}. */
    record Time(TimeUnit unit) implements ColumnType {
        @Override
        public String toString() {
            return "time(" + unit.symbol() + ")";
        }
    }

    /**
     * 64-bit count since the epoch: an instant if UTC-adjusted, else local date and time; {@code
     * timestamp(us)}, {@code timestamp(us,UTC)}.
     */
    record Timestamp(TimeUnit unit, boolean utc) implements ColumnType {
        @Override
        public String toString() {
            return "timestamp(" + unit.symbol() + (utc ? ",UTC)" : ")");
        }
    }

    /** The unit that a time or timestamp counts. */
    enum TimeUnit {
        SECOND("s", 0),
        MILLI("ms", 3),
        MICRO("us", 6),
        NANO("ns", 9);

        private final String symbol;
        private final int digits;

        TimeUnit(String symbol, int digits) {
            this.symbol = symbol;
            this.digits = digits;
        }

        public String symbol() {
            return symbol;
        }

        /** Decimal digits of a second that the unit can tell apart. */
        public int digits() {
            return digits;
        }

        /** How many of the unit a second has. */
        public long perSecond() {
            long n = 1;
            for (int i = 0; i < digits; i++) {
                n *= 10;
            }
            return n;
        }
    }

    /** The Arrow type whose vector holds this column. */
    default ArrowType toArrow() {
        return switch (this) {
            case Bool() -> ArrowType.Bool.INSTANCE;
            case Int(int bits, boolean signed) -> new ArrowType.Int(bits, signed);
            case FloatingPoint(int bits) ->
                    new ArrowType.FloatingPoint(
                            switch (bits) {
                                case 16 -> FloatingPointPrecision.HALF;
                                case 32 -> FloatingPointPrecision.SINGLE;
                                default -> FloatingPointPrecision.DOUBLE;
                            });
            case Decimal(int precision, int scale) -> new ArrowType.Decimal(precision, scale, 128);
            case Utf8() -> ArrowType.Utf8.INSTANCE;
            case Binary() -> ArrowType.Binary.INSTANCE;
            case FixedBinary(int width) -> new ArrowType.FixedSizeBinary(width);
            case Date() -> new ArrowType.Date(DateUnit.DAY);
            case Time(TimeUnit unit) ->
                    new ArrowType.Time(arrow(unit), unit.digits() <= 3 ? Integer.SIZE : Long.SIZE);
            case Timestamp(TimeUnit unit, boolean utc) ->
                    new ArrowType.Timestamp(arrow(unit), utc ? "UTC" : null);
        };
    }

    private static org.apache.arrow.vector.types.TimeUnit arrow(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> org.apache.arrow.vector.types.TimeUnit.SECOND;
            case MILLI -> org.apache.arrow.vector.types.TimeUnit.MILLISECOND;
            case MICRO -> org.apache.arrow.vector.types.TimeUnit.MICROSECOND;
            case NANO -> org.apache.arrow.vector.types.TimeUnit.NANOSECOND;
        };
    }

    /**
     * Reads the text form.
     *
     * @throws SpillwayException {@code TYPE_MISMATCH} if the text names no type
     */
    static ColumnType parse(String text) {
        Matcher m = Syntax.TYPE.matcher(text);
        if (m.matches()) {
            String name = m.group(1);
            String first = m.group(2);
            String second = m.group(3);
            ColumnType type =
                    switch (name) {
                        case "bool" -> new Bool();
                        case "int8", "int16", "int32", "int64" ->
                                new Int(Integer.parseInt(name.substring(3)), true);
                        case "uint8", "uint16", "uint32", "uint64" ->
                                new Int(Integer.parseInt(name.substring(4)), false);
                        case "float16", "float32", "float64" ->
                                new FloatingPoint(Integer.parseInt(name.substring(5)));
                        case "utf8" -> new Utf8();
                        case "binary" ->
                                first == null
                                        ? new Binary()
                                        : new FixedBinary(Integer.parseInt(first));
                        case "date" -> new Date();
                        case "decimal" ->
                                first == null || second == null
                                        ? null
                                        : new Decimal(
                                                Integer.parseInt(first), Integer.parseInt(second));
                        case "time" -> first == null ? null : new Time(Syntax.unit(first));
                        case "timestamp" ->
                                first == null
                                        ? null
                                        : new Timestamp(Syntax.unit(first), "UTC".equals(second));
                        default -> null;
                    };
            if (type != null) {
                return type;
            }
        }
        throw new SpillwayException(ErrorCode.TYPE_MISMATCH, "'" + text + "' is not a column type");
    }

    /** The grammar of type names. */
    final class Syntax {
        private static final Pattern TYPE =
                Pattern.compile("([a-z]+\\d*)(?:\\((\\w{1,9})(?:,(\\w{1,9}))?\\))?");

        private Syntax() {}

        private static TimeUnit unit(String symbol) {
            for (TimeUnit u : TimeUnit.values()) {
                if (u.symbol().equals(symbol)) {
                    return u;
                }
            }
            throw new SpillwayException(
                    ErrorCode.TYPE_MISMATCH, "'" + symbol + "' is not a time unit");
        }
    }
}
