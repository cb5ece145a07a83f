package io.spillway.oracle;

import java.util.List;

/** Constants, edges included; the first of each list is the simplest. */
final class Literals {

    private static final List<String> BOOLEANS = List.of("TRUE", "FALSE");
    private static final List<String> INTEGERS =
            List.of(
                    "0",
                    "1",
                    "-1",
                    "7",
                    "100",
                    "-128",
                    "32767",
                    "-2147483648",
                    "2147483648",
                    "9007199254740993",
                    "9223372036854775807");
    private static final List<String> DECIMALS =
            List.of("0.0", "1.5", "-0.01", "2500.00", "12345678.9", "0.000000001");
    private static final List<String> DOUBLES =
            List.of(
                    "0E0",
                    "1E0",
                    "1.5E0",
                    "-2.5E-3",
                    "1E300",
                    "CAST('NaN' AS DOUBLE)",
                    "CAST('Infinity' AS DOUBLE)",
                    "CAST('-Infinity' AS DOUBLE)");
    private static final List<String> TEXTS =
            List.of(
                    "''",
                    "'a'",
                    "'A'",
                    "'abc'",
                    "'it''s \"so\"'",
                    "'\\n'",
                    "'ä'",
                    "'日本'",
                    "'🙂'",
                    "'ab  '",
                    "'%'");
    private static final List<String> DATES =
            List.of(
                    "DATE '1970-01-01'",
                    "DATE '2001-02-03'",
                    "DATE '1969-12-31'",
                    "DATE '0001-01-01'",
                    "DATE '9999-12-31'");
    private static final List<String> MICROS =
            List.of(
                    "TIMESTAMP '1970-01-01 00:00:00'",
                    "TIMESTAMP '2001-02-03 04:05:06.123456'",
                    "TIMESTAMP '1969-12-31 23:59:59.999999'",
                    "TIMESTAMP '9999-12-31 23:59:59'");
    private static final List<String> NANOS =
            List.of(
                    "CAST('1970-01-01 00:00:00' AS TIMESTAMP(9))",
                    "CAST('2001-02-03 04:05:06.123456789' AS TIMESTAMP(9))",
                    "CAST('1969-12-31 23:59:59.999999999' AS TIMESTAMP(9))");

    /** Patterns for LIKE, with {@code !} as escape character. */
    static final List<String> PATTERNS =
            List.of("'%'", "'a%'", "'%a%'", "'_'", "'%!%%'", "'_b%'", "'%日_'", "'!_%'", "'a'");

    private Literals() {}

    /** The constants of a type that expressions are compared with. */
    static List<String> of(ValueType type) {
        return switch (type) {
            case ValueType.Bool b -> BOOLEANS;
            case ValueType.Int i -> INTEGERS;
            case ValueType.Float32 s -> DOUBLES;
            case ValueType.Float64 d -> DOUBLES;
            case ValueType.Decimal d -> DECIMALS;
            case ValueType.Text t -> TEXTS;
            case ValueType.Date d -> DATES;
            case ValueType.Micros m -> MICROS;
            case ValueType.Nanos n -> NANOS;
            case ValueType.Inexact _, ValueType.ListOf _ -> throw ValueType.notPlain(type);
        };
    }
}
