package io.spillway.expression;

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
    EXP,
    // Text. Positions and lengths count code points, from 1.
    /** By Unicode's simple mapping, one code point for one, whatever the locale. */
    UPPER,
    LOWER,
    /** (text); spaces (U+0020) on both sides. */
    TRIM,
    LTRIM,
    RTRIM,
    CHAR_LENGTH,
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
    /** (text, pattern literal) or (text, pattern literal, escape literal); no back-tracking. */
    LIKE,
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
    ADD_UNITS
}
