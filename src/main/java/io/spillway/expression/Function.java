package io.spillway.expression;

import io.spillway.batch.ColumnType;

/**
 * The functions of resolved expressions. Unless said otherwise a null argument gives null, both
 * operands of a binary function have one type, and comparison follows the total order of values:
 * text by code point (that is, by unsigned UTF-8 bytes), false before true, NaN equal to itself and
 * greater than every other number, −0.0 equal to 0.0.
 */
public enum Function {
    // Three-valued logic, with any number of operands. A later operand is computed only for rows
    // the earlier ones leave open.
    AND,
    OR,
    NOT,
    // Never null.
    IS_NULL,
    IS_NOT_NULL,
    IS_TRUE,
    IS_FALSE,
    IS_NOT_TRUE,
    IS_NOT_FALSE,
    /** Null-safe equality; never null. */
    IS_NOT_DISTINCT_FROM,
    /** Null-safe inequality; never null. */
    IS_DISTINCT_FROM,
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    // Arithmetic over integers, floats and decimals; operands have the result's type, but decimals
    // may differ in precision and scale.
    // Integer and decimal results that do not fit are ARITHMETIC_OVERFLOW; integer and decimal
    // division by zero is DIVISION_BY_ZERO;
    // floats follow IEEE 754. Integer division truncates towards zero; the remainder has the
    // dividend's sign. Decimal results are
    // rounded half up (away from zero) to the result's scale.
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    NEGATE,
    ABS,
    /** Largest whole number not above; floats stay floats, decimals become scale 0. */
    FLOOR,
    /** Smallest whole number not below. */
    CEIL,
    /** (number) or (number, int32 digits); half away from zero. */
    ROUND,
    // By IEEE 754: the root of a negative number is NaN, the logarithm of 0 is −Infinity.
    SQRT,
    /** (float64, float64). */
    POWER,
    LN,
    LOG10,
    LOG2,
    EXP,
    CBRT,
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    /** (float64 y, float64 x): the angle of the point (x, y). */
    ATAN2,
    SINH,
    COSH,
    TANH,
    /** Radians as degrees. */
    DEGREES,
    /** Degrees as radians. */
    RADIANS,
    /** −1, 0 or 1: an int32, or of a float a float; of a zero or NaN that itself. */
    SIGN,
    // One or more values of one type that is not nested.
    GREATEST,
    LEAST,
    // Text. Positions and lengths count code points, from 1.
    /** By Unicode's simple mapping, one code point for one, whatever the locale. */
    UPPER,
    LOWER,
    /**
     * (text) or (text, characters); these code points, spaces (U+0020) if not told, on both sides.
     */
    TRIM,
    LTRIM,
    RTRIM,
    CHAR_LENGTH,
    /** Bytes of the text in UTF-8. */
    OCTET_LENGTH,
    /**
     * (text, int32 from) or (text, int32 from, int32 length), SQL semantics: a start before 1 uses
     * up length. A length below 0 counts as 0.
     */
    SUBSTRING,
    /** Two or more texts. */
    CONCAT,
    /** (text, text to find), 1-based, 0 if not found. */
    POSITION,
    /** (text, text to find, replacement). */
    REPLACE,
    /**
     * (text, int32 count): the first code points; all but the last ones if the count is negative.
     */
    LEFT,
    /**
     * (text, int32 count): the last code points; all but the first ones if the count is negative.
     */
    RIGHT,
    /**
     * (text, int32 length, text fill): of that many code points, cut at the end, or filled up in
     * front; an empty fill fills nothing. A result of over 16 MiB is ARITHMETIC_OVERFLOW.
     */
    LPAD,
    /** As LPAD, filled up at the end. */
    RPAD,
    /** (text, int32 times); nothing below 1. A result of over 16 MiB is ARITHMETIC_OVERFLOW. */
    REPEAT,
    /** The code points from the last to the first. */
    REVERSE,
    /**
     * (text, separator, int32 n): the part before the n-th separator, from 1, or from the end if n
     * is negative; an empty text if there is no such part. An empty separator separates nothing.
     */
    SPLIT_PART,
    // (text, text); by bytes.
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS,
    /** (text, pattern literal) or (text, pattern literal, escape literal); no back-tracking. */
    LIKE,
    // Regular expressions as RE2 has them, literals; in time linear in the text. One that is
    // malformed or too large is INVALID_EXPRESSION.
    /** (text, pattern literal): does some part of the text match? */
    REGEXP_LIKE,
    /**
     * (text, pattern literal) or (text, pattern literal, int32 literal group): the first match, or
     * what the group has of it; null where there is none.
     */
    REGEXP_EXTRACT,
    /**
     * (text, pattern literal, replacement literal): with every match replaced; {@code \\0} to
     * {@code \\9} in the replacement stand for the match and its groups.
     */
    REGEXP_REPLACE,
    /** (text): of its UTF-8 bytes, in lower-case hex digits. */
    MD5,
    /** As MD5. */
    SHA256,
    /** (text): XXH64 of its UTF-8 bytes with seed 0, as an int64. */
    XXHASH64,
    /**
     * (text, path literal): the scalar at a path of member names and positions in a JSON text, as a
     * text; null where there is none, and where the text is no JSON. A path of another form is
     * INVALID_EXPRESSION.
     */
    JSON_VALUE,
    // Lists, maps and structs.
    /** (list or map): number of its elements, as an int64. */
    CARDINALITY,
    /**
     * (list, int64): the element at a position, from 1, or from the end if it is negative; null
     * where there is none.
     */
    ELEMENT_AT,
    /** (list, value of the element's type, not nested): is an element equal to it? */
    ARRAY_CONTAINS,
    /** (struct, name literal): the value of a field. */
    STRUCT_EXTRACT,
    /** (name literal, value, …): a struct of the values, of the call's type. */
    NAMED_STRUCT,
    // Date and time; the argument is a date or timestamp, or a time for its parts, the result
    // int64.
    EXTRACT_YEAR,
    EXTRACT_QUARTER,
    EXTRACT_MONTH,
    EXTRACT_DAY,
    /** 0 for Sunday to 6 for Saturday. */
    EXTRACT_DAY_OF_WEEK,
    EXTRACT_DAY_OF_YEAR,
    EXTRACT_HOUR,
    EXTRACT_MINUTE,
    /** Whole seconds. */
    EXTRACT_SECOND,
    /** The millennium, from 1: the second one ended with the year 2000. */
    EXTRACT_MILLENNIUM,
    /** The century, from 1. */
    EXTRACT_CENTURY,
    /** The year without its last digit. */
    EXTRACT_DECADE,
    /** The week of ISO 8601, from 1 to 53. */
    EXTRACT_WEEK,
    /** The year of ISO 8601, to which the week belongs. */
    EXTRACT_ISO_YEAR,
    /** 1 for Monday to 7 for Sunday. */
    EXTRACT_ISO_DAY_OF_WEEK,
    /** Milliseconds of the minute, those of whole seconds included. */
    EXTRACT_MILLISECOND,
    EXTRACT_MICROSECOND,
    EXTRACT_NANOSECOND,
    /** Whole seconds since 1970-01-01, or since midnight. */
    EXTRACT_EPOCH,
    /** (unit literal, date, time or timestamp): the start of the unit in which it is. */
    DATE_TRUNC,
    /**
     * (unit literal, int64 literal n above 0, date, time or timestamp): the start of the n units in
     * which it is, counted from 1900-01-01, a Monday, or from midnight.
     */
    DATE_BUCKET,
    /**
     * (unit literal, from, to), both of one type: an int64, how often the unit changes on the way;
     * negative backwards.
     */
    DATE_DIFF,
    /** (date or timestamp, pattern literal): as a text. */
    STRFTIME,
    /** (text, pattern literal): a timestamp(us); INVALID_CAST if it is none of that pattern. */
    STRPTIME,
    /** As STRPTIME, with null in place of an error. */
    TRY_STRPTIME,
    // A date, time or timestamp and an int64, the result of the first one's type; what that does
    // not hold is ARITHMETIC_OVERFLOW.
    /**
     * (date or timestamp, months): the same day and time so many months later; the last day of that
     * month if it has fewer days.
     */
    ADD_MONTHS,
    /**
     * (date, days), or (time or timestamp, its own units): a time of day goes round at midnight.
     */
    ADD_UNITS;

    /**
     * Whether there is a result for all arguments, so that no row raises an error.
     *
     * @param result type of the call
     */
    public boolean isTotal(ColumnType result) {
        return switch (this) {
            case AND,
                    OR,
                    NOT,
                    IS_NULL,
                    IS_NOT_NULL,
                    IS_TRUE,
                    IS_FALSE,
                    IS_NOT_TRUE,
                    IS_NOT_FALSE,
                    IS_NOT_DISTINCT_FROM,
                    IS_DISTINCT_FROM,
                    EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL,
                    SIGN,
                    GREATEST,
                    LEAST,
                    UPPER,
                    LOWER,
                    TRIM,
                    LTRIM,
                    RTRIM,
                    CHAR_LENGTH,
                    OCTET_LENGTH,
                    SUBSTRING,
                    POSITION,
                    LEFT,
                    RIGHT,
                    REVERSE,
                    SPLIT_PART,
                    STARTS_WITH,
                    ENDS_WITH,
                    CONTAINS,
                    LIKE,
                    REGEXP_LIKE,
                    REGEXP_EXTRACT,
                    MD5,
                    SHA256,
                    XXHASH64,
                    JSON_VALUE,
                    CARDINALITY,
                    ELEMENT_AT,
                    ARRAY_CONTAINS,
                    STRUCT_EXTRACT,
                    NAMED_STRUCT,
                    EXTRACT_YEAR,
                    EXTRACT_QUARTER,
                    EXTRACT_MONTH,
                    EXTRACT_DAY,
                    EXTRACT_DAY_OF_WEEK,
                    EXTRACT_DAY_OF_YEAR,
                    EXTRACT_HOUR,
                    EXTRACT_MINUTE,
                    EXTRACT_SECOND,
                    EXTRACT_MILLENNIUM,
                    EXTRACT_CENTURY,
                    EXTRACT_DECADE,
                    EXTRACT_WEEK,
                    EXTRACT_ISO_YEAR,
                    EXTRACT_ISO_DAY_OF_WEEK,
                    EXTRACT_MILLISECOND,
                    EXTRACT_MICROSECOND,
                    EXTRACT_NANOSECOND,
                    EXTRACT_EPOCH,
                    STRFTIME,
                    TRY_STRPTIME ->
                    true;
            case ADD,
                    SUBTRACT,
                    MULTIPLY,
                    DIVIDE,
                    REMAINDER,
                    NEGATE,
                    ABS,
                    FLOOR,
                    CEIL,
                    ROUND,
                    SQRT,
                    CBRT,
                    POWER,
                    LN,
                    LOG10,
                    LOG2,
                    EXP,
                    SIN,
                    COS,
                    TAN,
                    ASIN,
                    ACOS,
                    ATAN,
                    ATAN2,
                    SINH,
                    COSH,
                    TANH,
                    DEGREES,
                    RADIANS ->
                    result instanceof ColumnType.FloatingPoint;
            // A text can grow beyond what memory allows.
            case CONCAT, REPLACE, REGEXP_REPLACE, LPAD, RPAD, REPEAT -> false;
            case ADD_MONTHS, ADD_UNITS, DATE_TRUNC, DATE_BUCKET, DATE_DIFF, STRPTIME -> false;
        };
    }
}
