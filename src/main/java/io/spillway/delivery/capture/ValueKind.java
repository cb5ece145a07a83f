package io.spillway.delivery.capture;

import io.spillway.batch.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * What captured values are, all together: of one scalar kind, or lists of one.
 *
 * @param list whether they are lists, of which {@code scalar} is said of all elements
 */
record ValueKind(boolean list, Scalar scalar) {

    /** Kinds of values that consist of no others; nulls may be among all of them. */
    enum Scalar {
        NULL('N'),
        BOOL('B'),
        INT('I'),
        FLOAT('F'),
        TEXT('T'),
        /** Of different kinds, or objects: only their JSON text is common to them. */
        JSON('J');

        private final char letter;

        Scalar(char letter) {
            this.letter = letter;
        }

        private Scalar and(Scalar other) {
            if (this == other || other == NULL) {
                return this;
            }
            if (this == NULL) {
                return other;
            }
            boolean numbers = (this == INT || this == FLOAT) && (other == INT || other == FLOAT);
            return numbers ? FLOAT : JSON;
        }
    }

    static final ValueKind NULL = new ValueKind(false, Scalar.NULL);
    static final ValueKind JSON = new ValueKind(false, Scalar.JSON);

    static ValueKind of(Scalar scalar) {
        return new ValueKind(false, scalar);
    }

    /** Lists of values of a kind; those of lists are only JSON. */
    static ValueKind listOf(ValueKind element) {
        return element.list || element.scalar == Scalar.JSON
                ? JSON
                : new ValueKind(true, element.scalar);
    }

    /** What these and others are together. */
    ValueKind and(ValueKind other) {
        if (equals(NULL)) {
            return other;
        }
        if (other.equals(NULL)) {
            return this;
        }
        if (list != other.list) {
            return JSON;
        }
        Scalar both = scalar.and(other.scalar);
        return list && both == Scalar.JSON ? JSON : new ValueKind(list, both);
    }

    /** The type of a column of such values that has none of its own. */
    ColumnType type() {
        ColumnType flat =
                switch (scalar) {
                    case NULL, TEXT, JSON -> new ColumnType.Utf8();
                    case BOOL -> new ColumnType.Bool();
                    case INT -> new ColumnType.Int(64, true);
                    case FLOAT -> new ColumnType.FloatingPoint(64);
                };
        return list ? new ColumnType.ListOf(flat, true) : flat;
    }

    /** Whether a column of a type can hold such values. */
    boolean fits(ColumnType type) {
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) ->
                    equals(NULL) || (list && of(scalar).fits(element));
            case ColumnType.Bool() -> !list && (scalar == Scalar.BOOL || scalar == Scalar.NULL);
            case ColumnType.Int _ -> !list && (scalar == Scalar.INT || scalar == Scalar.NULL);
            case ColumnType.FloatingPoint _ ->
                    !list
                            && (scalar == Scalar.INT
                                    || scalar == Scalar.FLOAT
                                    || scalar == Scalar.NULL);
            // Anything has a text.
            case ColumnType.Utf8() -> true;
            case ColumnType _ -> false;
        };
    }

    /** Whether columns of captured values may have a type. */
    static boolean isSupported(ColumnType type) {
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean nulls) ->
                    nulls && !(element instanceof ColumnType.ListOf) && isSupported(element);
            case ColumnType.Int(int bits, boolean signed) -> bits == 64 && signed;
            case ColumnType.FloatingPoint(int bits) -> bits >= 32;
            case ColumnType.Bool(), ColumnType.Utf8() -> true;
            case ColumnType _ -> false;
        };
    }

    /** As two letters that {@link #parse} reads. */
    String letters() {
        return (list ? "L" : "S") + scalar.letter;
    }

    /** Null for what is no kind. */
    static @Nullable ValueKind parse(String letters) {
        if (letters.length() != 2 || (letters.charAt(0) != 'L' && letters.charAt(0) != 'S')) {
            return null;
        }
        for (Scalar scalar : Scalar.values()) {
            if (scalar.letter == letters.charAt(1)) {
                return new ValueKind(letters.charAt(0) == 'L', scalar);
            }
        }
        return null;
    }
}
