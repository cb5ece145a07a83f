package io.spillway.oracle;

import java.util.List;

/**
 * How the values of one generated column follow from the row's number {@code i}.
 *
 * @param column its name and type
 * @param spread how values are spread
 * @param salt makes columns differ
 * @param nullEvery about one value in so many is null; 0 for none, 1 for all
 */
record ColumnData(Column column, Spread spread, int salt, int nullEvery) {

    /** How values are spread over the rows. */
    enum Spread {
        /** Some awkward values, again and again: dictionary pages. */
        FEW,
        /** Hardly any value twice: plain pages. */
        MANY,
        /** Awkward values in long runs. */
        RUNS
    }

    static ColumnData make(Choices choices, String name) {
        ValueType type =
                choices.oneOf(
                        ValueType.Int.full(32),
                        ValueType.Int.full(8),
                        ValueType.Int.full(16),
                        ValueType.Int.full(64),
                        new ValueType.Text(),
                        new ValueType.Text(),
                        new ValueType.Float64(),
                        new ValueType.Float32(),
                        new ValueType.Bool(),
                        new ValueType.Decimal(4, 1),
                        new ValueType.Decimal(9, 0),
                        new ValueType.Decimal(18, 3),
                        new ValueType.Decimal(38, 10),
                        new ValueType.Date(),
                        new ValueType.Micros(),
                        new ValueType.Nanos());
        return new ColumnData(
                new Column(name, type),
                choices.oneOf(Spread.values()),
                choices.below(1000),
                choices.oneOf(0, 3, 100, 1));
    }

    /** The column as an item of a SELECT over {@code range(…) AS t(i)}. */
    String item() {
        String value = spread == Spread.MANY ? many() : few();
        String typed = "CAST(" + value + " AS " + column.type().sql() + ")";
        String item =
                nullEvery == 0
                        ? typed
                        : "CASE WHEN hash(i, %d) %% %d = 0 THEN NULL ELSE %s END"
                                .formatted(salt + 1, nullEvery, typed);
        return item + " AS " + column.quoted();
    }

    private String few() {
        List<String> values = awkward();
        String of = spread == Spread.RUNS ? "i // 700" : "i";
        return "list_extract(CAST([%s] AS %s[]), 1 + CAST(hash(%s, %d) %% %d AS BIGINT))"
                .formatted(String.join(", ", values), column.type().sql(), of, salt, values.size());
    }

    private List<String> awkward() {
        return switch (column.type()) {
            case ValueType.Bool b -> List.of("true", "false");
            case ValueType.Int i -> {
                long most = Long.MAX_VALUE >> (64 - i.bits());
                yield List.of("0", "1", "-1", "7", "100", "" + most, most + "::HUGEINT * -1 - 1");
            }
            case ValueType.Float32 s ->
                    List.of("0", "'-0.0'", "0.1", "1.5", "'NaN'", "'Infinity'", "3.4e38", "1e-45");
            case ValueType.Float64 d ->
                    List.of(
                            "0",
                            "'-0.0'",
                            "0.1",
                            "1.5",
                            "'NaN'",
                            "'Infinity'",
                            "'-Infinity'",
                            "1e300",
                            "5e-324",
                            "123456789.125",
                            "1e23");
            case ValueType.Decimal d ->
                    List.of(
                            "'0'",
                            "'1'",
                            "'-1'",
                            "'" + decimal("9", d) + "'",
                            "'-" + decimal("9", d) + "'",
                            "'" + decimal("1", d) + "'");
            case ValueType.Text t ->
                    List.of(
                            "''",
                            "'a'",
                            "'A'",
                            "'abc'",
                            "'it''s \"so\"'",
                            "'back\\slash'",
                            "'a' || chr(10) || chr(9) || chr(13) || chr(1) || 'b'",
                            "chr(0) || 'x'",
                            "'ä'",
                            "'日本語'",
                            "'🙂b'",
                            "chr(8232)",
                            "'100%'",
                            "'_b'",
                            "'  padded '",
                            "repeat('long ä ', 60)");
            case ValueType.Date d ->
                    List.of(
                            "DATE '1970-01-01'",
                            "DATE '2001-02-03'",
                            "DATE '1969-12-31'",
                            "DATE '0001-01-01'",
                            "DATE '1600-02-29'",
                            "DATE '9999-12-31'");
            case ValueType.Micros m ->
                    List.of(
                            "TIMESTAMP '1970-01-01 00:00:00'",
                            "TIMESTAMP '2001-02-03 04:05:06.123456'",
                            "TIMESTAMP '2026-03-08 02:30:00'",
                            "TIMESTAMP '1969-12-31 23:59:59.999999'",
                            "TIMESTAMP '0001-01-01 00:00:00'",
                            "TIMESTAMP '9999-12-31 23:59:59'");
            case ValueType.Nanos n ->
                    List.of(
                            "'1970-01-01 00:00:00'",
                            "'2001-02-03 04:05:06.123456789'",
                            "'1969-12-31 23:59:59.999999999'",
                            "'1700-01-01 00:00:00'",
                            "'2262-01-01 00:00:00.000000001'");
            case ValueType.Inexact _, ValueType.ListOf _ -> throw ValueType.notPlain(column.type());
        };
    }

    /** All places of a decimal filled with one digit. */
    private static String decimal(String digit, ValueType.Decimal type) {
        return digit.repeat(type.precision() - type.scale())
                + (type.scale() == 0 ? "" : "." + digit.repeat(type.scale()));
    }

    private String many() {
        String hash = "hash(i, " + salt + ")";
        return switch (column.type()) {
            case ValueType.Bool b -> hash + " % 2 = 0";
            case ValueType.Int i ->
                    "(%s %% %d)::HUGEINT - %d"
                            .formatted(hash, 1L << (i.bits() - 2), 1L << (i.bits() - 3));
            case ValueType.Float32 s -> "(%s %% 2000000)::DOUBLE / 1000 - 1000".formatted(hash);
            case ValueType.Float64 d ->
                    "(%s)::DOUBLE * pow(10, (%s %% 500)::DOUBLE - 250)".formatted(hash, hash);
            case ValueType.Decimal d -> manyDecimals(hash, d);
            case ValueType.Text t ->
                    "i::VARCHAR || '-' || substr(md5(i::VARCHAR), 1, (%s %% 20)::BIGINT)"
                            .formatted(hash);
            case ValueType.Date d ->
                    "DATE '1970-01-01' + ((%s %% 60000)::INT - 20000)".formatted(hash);
            case ValueType.Micros m ->
                    "make_timestamp((%s %% 4000000000000000)::BIGINT - 1000000000000000)"
                            .formatted(hash);
            case ValueType.Nanos n ->
                    "make_timestamp_ns((%s %% 8000000000000000000)::BIGINT - 4000000000000000000)"
                            .formatted(hash);
            case ValueType.Inexact _, ValueType.ListOf _ -> throw ValueType.notPlain(column.type());
        };
    }

    private String manyDecimals(String hash, ValueType.Decimal type) {
        int whole = Math.min(type.precision() - type.scale(), 18);
        String text =
                "CASE WHEN hash(i, %d) %% 2 = 0 THEN '-' ELSE '' END || (%s %% %d)::VARCHAR"
                        .formatted(salt + 2, hash, power(whole));
        return type.scale() == 0
                ? "(" + text + ")"
                : "(%s || '.' || lpad((hash(i, %d) %% %d)::VARCHAR, %d, '0'))"
                        .formatted(text, salt + 3, power(type.scale()), type.scale());
    }

    private static long power(int digits) {
        long power = 1;
        for (int i = 0; i < digits; i++) {
            power *= 10;
        }
        return power;
    }
}
