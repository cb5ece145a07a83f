package io.spillway.scan.text;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What values that have been seen tell of the type of their column. It only grows, and is the same
 * in whatever order and groups values come in, but for the order of a struct's fields.
 *
 * <pre>
 * nothing but nulls            utf8
 * truth values                 bool
 * integers                     int64; beyond its range decimal(38,0)
 * numbers                      float64; decimal(38,s) if an integer among them needs more digits
 *                              than a float64 has, utf8 if that does not hold all
 * dates                        date
 * dates and local timestamps   timestamp(us), or (ns) for more than six digits of a second
 * timestamps with an offset    timestamp(us,UTC), or (ns,UTC)
 * objects, arrays              struct, list of what they consist of
 * anything else                utf8: each value as it is written
 * </pre>
 */
public final class TypeEvidence {

    private static final int BOOL = 1;
    private static final int INTEGER = 1 << 1;
    private static final int FRACTION = 1 << 2;
    private static final int DATE = 1 << 3;
    private static final int LOCAL = 1 << 4;
    private static final int INSTANT = 1 << 5;
    private static final int TEXT = 1 << 6;
    private static final int STRUCT = 1 << 7;
    private static final int LIST = 1 << 8;

    /** Integers of so many digits are exact as float64. */
    private static final int EXACT_DIGITS = 15;

    /** Digits before the point that whoever writes a float64 still writes. */
    private static final int FLOAT_DIGITS = 17;

    private static final int DECIMAL_DIGITS = 38;
    private static final int MICRO_DIGITS = 6;
    private static final ColumnType UTF8 = new ColumnType.Utf8();

    private int kinds;

    /** The most digits before a number's point, leading zeros left out, and behind it. */
    private int whole;

    private int scale;
    private boolean exponent;

    /** Whether an integer does not fit 64 bits. */
    private boolean large;

    /** Whether a number in decimal form has a whole part that a float64 may not hold. */
    private boolean precise;

    /** The most digits of a second, and whether a year is out of reach for nanoseconds. */
    private int secondDigits;

    private boolean farYear;
    private @Nullable Map<String, TypeEvidence> fields;
    private @Nullable TypeEvidence element;

    /** A text that is nothing else. */
    public void text() {
        kinds |= TEXT;
    }

    /** Whether nothing that is still to come can change the type. */
    public boolean isText() {
        return (kinds & TEXT) != 0;
    }

    /** A truth value. */
    public void bool() {
        kinds |= BOOL;
    }

    /**
     * An integer.
     *
     * @param digits without leading zeros
     * @param fits whether it fits 64 bits
     */
    public void integer(int digits, boolean fits) {
        kinds |= INTEGER;
        whole = Math.max(whole, digits);
        large |= !fits;
        precise |= digits > EXACT_DIGITS;
    }

    /**
     * A number with a point or an exponent that a float64 can come near to.
     *
     * @param digits before the point, without leading zeros
     * @param places behind the point
     * @param scientific whether it has an exponent
     */
    public void fraction(int digits, int places, boolean scientific) {
        kinds |= FRACTION;
        whole = Math.max(whole, digits);
        scale = Math.max(scale, places);
        exponent |= scientific;
        precise |= digits > FLOAT_DIGITS && !scientific;
    }

    /** A date. */
    public void date(int year) {
        kinds |= DATE;
        year(year);
    }

    /**
     * A timestamp.
     *
     * @param digits behind the second's point
     * @param offset whether it says how far from UTC it is
     */
    public void timestamp(int year, int digits, boolean offset) {
        kinds |= offset ? INSTANT : LOCAL;
        secondDigits = Math.max(secondDigits, digits);
        year(year);
    }

    private void year(int year) {
        farYear |= year < 1678 || year > 2261;
    }

    /** An object; its fields are to be looked at too. */
    public TypeEvidence struct() {
        kinds |= STRUCT;
        return this;
    }

    /** The evidence of an object's field. */
    public TypeEvidence field(String name) {
        Map<String, TypeEvidence> all = fields;
        if (all == null) {
            all = new LinkedHashMap<>();
            fields = all;
        }
        return all.computeIfAbsent(name, _ -> new TypeEvidence());
    }

    /** An array; the evidence of its elements. */
    public TypeEvidence list() {
        kinds |= LIST;
        TypeEvidence all = element;
        if (all == null) {
            all = new TypeEvidence();
            element = all;
        }
        return all;
    }

    /** Columns or fields below, those of fields included. */
    public int size() {
        int size = element == null ? 1 : 1 + element.size();
        for (TypeEvidence field : fields == null ? List.<TypeEvidence>of() : fields.values()) {
            size += field.size();
        }
        return size;
    }

    /** Takes in what somebody else has seen behind this. */
    public void add(TypeEvidence other) {
        kinds |= other.kinds;
        whole = Math.max(whole, other.whole);
        scale = Math.max(scale, other.scale);
        exponent |= other.exponent;
        large |= other.large;
        precise |= other.precise;
        secondDigits = Math.max(secondDigits, other.secondDigits);
        farYear |= other.farYear;
        if (other.fields != null) {
            other.fields.forEach((name, theirs) -> field(name).add(theirs));
        }
        if (other.element != null) {
            int before = kinds;
            list().add(other.element);
            kinds = before;
        }
    }

    /** A copy that grows by itself. */
    public TypeEvidence copy() {
        TypeEvidence copy = new TypeEvidence();
        copy.add(this);
        return copy;
    }

    /** The narrowest type that all values can be read as. */
    public ColumnType type() {
        return switch (kinds) {
            case BOOL -> new ColumnType.Bool();
            case INTEGER, FRACTION, INTEGER | FRACTION -> number();
            case DATE -> new ColumnType.Date();
            case LOCAL, LOCAL | DATE -> timestamp(false);
            case INSTANT -> timestamp(true);
            case STRUCT -> struct(columns());
            case LIST -> element == null ? UTF8 : new ColumnType.ListOf(element.type(), true);
            default -> UTF8;
        };
    }

    /** The fields as columns, in the order in which they appeared. */
    public List<ColumnSchema> columns() {
        List<ColumnSchema> columns = new ArrayList<>();
        if (fields != null) {
            fields.forEach(
                    (name, field) -> columns.add(new ColumnSchema(name, field.type(), true)));
        }
        return columns;
    }

    private static ColumnType struct(List<ColumnSchema> columns) {
        return columns.isEmpty() ? UTF8 : new ColumnType.Struct(columns);
    }

    private ColumnType number() {
        if (kinds == INTEGER && !large) {
            return new ColumnType.Int(Long.SIZE, true);
        }
        if (kinds != INTEGER && !precise && !large) {
            return new ColumnType.FloatingPoint(Double.SIZE);
        }
        return exponent || whole + scale > DECIMAL_DIGITS
                ? UTF8
                : new ColumnType.Decimal(DECIMAL_DIGITS, scale);
    }

    private ColumnType timestamp(boolean utc) {
        if (secondDigits <= MICRO_DIGITS) {
            return new ColumnType.Timestamp(ColumnType.TimeUnit.MICRO, utc);
        }
        return farYear ? UTF8 : new ColumnType.Timestamp(ColumnType.TimeUnit.NANO, utc);
    }
}
