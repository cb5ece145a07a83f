package io.spillway.batch;

import io.spillway.error.SpillwayException;
import java.util.List;
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

    /**
     * Any number of values of one type, in order; {@code list<int32>}, {@code list<utf8 not null>}.
     *
     * @param nullable whether an element may be null
     */
    record ListOf(ColumnType element, boolean nullable) implements ColumnType {
        @Override
        public String toString() {
            return "list<" + element + (nullable ? ">" : " not null>");
        }
    }

    /**
     * Named fields, each with a value of its own type; {@code struct<x float64, "odd name" utf8 not
     * null>}. Names are unique and case-sensitive.
     */
    record Struct(List<ColumnSchema> fields) implements ColumnType {

        public Struct {
            fields = List.copyOf(fields);
        }

        @Override
        public String toString() {
            return TypeText.of(this);
        }
    }

    /**
     * Pairs of key and value, in order, as a file has them: keys are never null, but may occur
     * twice; {@code map<utf8,int64>}.
     *
     * @param nullable whether a value may be null
     */
    record MapOf(ColumnType key, ColumnType value, boolean nullable) implements ColumnType {
        @Override
        public String toString() {
            return "map<" + key + "," + value + (nullable ? ">" : " not null>");
        }
    }

    /** Whether values consist of other values. */
    default boolean isNested() {
        return switch (this) {
            case ListOf _, Struct _, MapOf _ -> true;
            case Bool _,
                    Int _,
                    FloatingPoint _,
                    Decimal _,
                    Utf8 _,
                    Binary _,
                    FixedBinary _,
                    Date _,
                    Time _,
                    Timestamp _ ->
                    false;
        };
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

    /**
     * The Arrow type whose vector holds this column; what a nested type consists of is told by the
     * children of {@link ColumnSchema#toArrow()}.
     */
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
            case ListOf _ -> ArrowType.List.INSTANCE;
            case Struct _ -> ArrowType.Struct.INSTANCE;
            case MapOf _ -> new ArrowType.Map(false);
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
        return TypeText.parse(text);
    }
}
