package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.BOOL;
import static io.spillway.expression.ExpressionTesting.DATE;
import static io.spillway.expression.ExpressionTesting.DOUBLE;
import static io.spillway.expression.ExpressionTesting.INT;
import static io.spillway.expression.ExpressionTesting.LONG;
import static io.spillway.expression.ExpressionTesting.TEXT;
import static io.spillway.expression.ExpressionTesting.call;
import static io.spillway.expression.ExpressionTesting.cast;
import static io.spillway.expression.ExpressionTesting.column;
import static io.spillway.expression.ExpressionTesting.integer;
import static io.spillway.expression.ExpressionTesting.literal;
import static io.spillway.expression.ExpressionTesting.over;
import static io.spillway.expression.ExpressionTesting.text;
import static io.spillway.expression.ExpressionTesting.tryCast;
import static io.spillway.expression.ExpressionTesting.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The kernels against DuckDB, where the two are meant to agree. Each case is one column {@code x}
 * of values, an expression of it, and the same in DuckDB's SQL; the results are compared as
 * DuckDB's own conversion to text writes them, or as numbers.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DuckDbAgreementTest {

    private static final ColumnType MONEY = type("decimal(10,2)");
    private static final ColumnType TIMESTAMP = type("timestamp(us)");

    /** One question to both. */
    record Case(Kind kind, Expression expression, String sql) {

        @Override
        public String toString() {
            return sql + " over " + kind;
        }
    }

    /** A column of values, in DuckDB's words. */
    @SuppressWarnings("ImmutableEnumChecker") // column types and List.of are immutable
    enum Kind {
        DOUBLES(
                DOUBLE, "DOUBLE", "0", "'-0'", "1", "-1", "0.5", "1.5", "2.5", "-2.5", "3.49",
                "'nan'", "'inf'", "'-inf'", "1e10", "123.456", "-0.125"),
        LONGS(
                LONG,
                "BIGINT",
                "0",
                "1",
                "-1",
                "7",
                "-7",
                "100",
                "9223372036854775807",
                "-9223372036854775808"),
        MONIES(
                MONEY,
                "DECIMAL(10,2)",
                "0",
                "0.01",
                "-0.01",
                "2.50",
                "-2.50",
                "2.49",
                "99999999.99",
                "-99999999.99"),
        TEXTS(
                TEXT,
                "VARCHAR",
                "''",
                "'a'",
                "'abc'",
                "'ABC'",
                "'a%b'",
                "'a_b'",
                "' ab '",
                "'é😀x'",
                "'😀'",
                "'mississippi'",
                "'12'",
                "'-12'",
                "'1e3'",
                "'2024-02-29'",
                "'true'",
                "'x'"),
        DATES(
                DATE,
                "DATE",
                "'1970-01-01'",
                "'1969-12-31'",
                "'2024-02-29'",
                "'1900-03-01'",
                "'0001-01-01'",
                "'9999-12-31'",
                "'2023-01-01'"),
        TIMESTAMPS(
                TIMESTAMP,
                "TIMESTAMP",
                "'1970-01-01'",
                "'1969-12-31 23:59:59.999999'",
                "'2026-03-08 02:30:00'",
                "'2024-02-29 12:34:56.7'",
                "'1677-01-01 00:00:01'");

        private final ColumnType type;
        private final String sqlType;
        private final List<String> values;

        Kind(ColumnType type, String sqlType, String... values) {
            this.type = type;
            this.sqlType = sqlType;
            this.values = List.of(values);
        }

        /** What our literals hold: dates and timestamps count from the epoch. */
        private String ours(String value) {
            String bare = value.replaceAll("^'|'$", "");
            return switch (this) {
                case DOUBLES -> bare.replace("nan", "NaN").replace("inf", "Infinity");
                case LONGS, MONIES, TEXTS -> bare;
                case DATES, TIMESTAMPS ->
                        Objects.requireNonNull(ExpressionTesting.constant(cast(text(bare), type)));
            };
        }
    }

    private Connection connection;

    @BeforeAll
    void connect() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = connection.createStatement()) {
            for (Kind kind : Kind.values()) {
                statement.execute(
                        "CREATE TABLE %s (i INTEGER, x %s)".formatted(kind, kind.sqlType));
                int i = 0;
                for (String value : kind.values) {
                    statement.execute("INSERT INTO %s VALUES (%d, %s)".formatted(kind, i++, value));
                }
                statement.execute("INSERT INTO %s VALUES (%d, NULL)".formatted(kind, i));
            }
        }
    }

    @AfterAll
    void disconnect() throws SQLException {
        connection.close();
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        comparisons(cases, Kind.DOUBLES, "nan", "0", "1.5", "inf");
        comparisons(cases, Kind.LONGS, "0", "-7", "9223372036854775807");
        comparisons(cases, Kind.MONIES, "0", "2.50", "-0.01");
        comparisons(cases, Kind.TEXTS, "abc", "", "é");
        comparisons(cases, Kind.DATES, "1969-12-31");
        comparisons(cases, Kind.TIMESTAMPS, "2026-03-08 02:30:00");
        for (String pattern :
                List.of(
                        "%",
                        "a%", "%b%", "_", "__", "%_%_%", "a\\%b", "a\\_b", "%iss%ip%", "é_x")) {
            add(
                    cases,
                    Kind.TEXTS,
                    call(Function.LIKE, BOOL, x(Kind.TEXTS), text(pattern), text("\\")),
                    "x LIKE '" + pattern + "' ESCAPE '\\'");
        }
        texts(cases);
        parts(cases);
        numbers(cases);
        conversions(cases);
        return cases.stream();
    }

    private static Expression x(Kind kind) {
        return column(0, kind.type);
    }

    private static void add(List<Case> cases, Kind kind, Expression expression, String sql) {
        cases.add(new Case(kind, expression, sql));
    }

    private static void comparisons(List<Case> cases, Kind kind, String... values) {
        List<Function> functions =
                List.of(
                        Function.EQUAL,
                        Function.NOT_EQUAL,
                        Function.LESS,
                        Function.LESS_OR_EQUAL,
                        Function.GREATER,
                        Function.GREATER_OR_EQUAL,
                        Function.IS_DISTINCT_FROM,
                        Function.IS_NOT_DISTINCT_FROM);
        List<String> symbols =
                List.of(
                        "=",
                        "<>",
                        "<",
                        "<=",
                        ">",
                        ">=",
                        "IS DISTINCT FROM",
                        "IS NOT DISTINCT FROM");
        for (String value : values) {
            for (int i = 0; i < symbols.size(); i++) {
                add(
                        cases,
                        kind,
                        call(
                                functions.get(i),
                                BOOL,
                                x(kind),
                                literal(kind.type, kind.ours("'" + value + "'"))),
                        "x %s '%s'::%s".formatted(symbols.get(i), value, kind.sqlType));
            }
        }
    }

    private static void texts(List<Case> cases) {
        Expression x = x(Kind.TEXTS);
        for (int from = 1; from <= 4; from++) {
            for (int length = 0; length <= 3; length++) {
                add(
                        cases,
                        Kind.TEXTS,
                        call(Function.SUBSTRING, TEXT, x, integer(from), integer(length)),
                        "substring(x, %d, %d)".formatted(from, length));
            }
        }
        add(cases, Kind.TEXTS, call(Function.CHAR_LENGTH, LONG, x), "length(x)");
        add(cases, Kind.TEXTS, call(Function.LOWER, TEXT, x), "lower(x)");
        add(cases, Kind.TEXTS, call(Function.UPPER, TEXT, x), "upper(x)");
        add(cases, Kind.TEXTS, call(Function.TRIM, TEXT, x), "trim(x)");
        add(cases, Kind.TEXTS, call(Function.LTRIM, TEXT, x), "ltrim(x)");
        add(cases, Kind.TEXTS, call(Function.RTRIM, TEXT, x), "rtrim(x)");
        add(cases, Kind.TEXTS, call(Function.CONCAT, TEXT, x, text("-"), x), "x || '-' || x");
        add(cases, Kind.TEXTS, call(Function.POSITION, LONG, x, text("ss")), "position('ss' IN x)");
        add(
                cases,
                Kind.TEXTS,
                call(Function.REPLACE, TEXT, x, text("ss"), text("😀")),
                "replace(x, 'ss', '😀')");
    }

    private static void parts(List<Case> cases) {
        for (Kind kind : List.of(Kind.DATES, Kind.TIMESTAMPS)) {
            for (String part :
                    List.of("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")) {
                add(
                        cases,
                        kind,
                        call(Function.valueOf("EXTRACT_" + part), LONG, x(kind)),
                        "EXTRACT(%s FROM x)".formatted(part));
            }
            add(
                    cases,
                    kind,
                    call(Function.EXTRACT_DAY_OF_WEEK, LONG, x(kind)),
                    "EXTRACT(DOW FROM x)");
            add(
                    cases,
                    kind,
                    call(Function.EXTRACT_DAY_OF_YEAR, LONG, x(kind)),
                    "EXTRACT(DOY FROM x)");
        }
    }

    private static void numbers(List<Case> cases) {
        Expression d = x(Kind.DOUBLES);
        add(cases, Kind.DOUBLES, call(Function.FLOOR, DOUBLE, d), "floor(x)");
        add(cases, Kind.DOUBLES, call(Function.CEIL, DOUBLE, d), "ceil(x)");
        add(cases, Kind.DOUBLES, call(Function.ROUND, DOUBLE, d), "round(x)");
        add(cases, Kind.DOUBLES, call(Function.ROUND, DOUBLE, d, integer(1)), "round(x, 1)");
        add(cases, Kind.DOUBLES, call(Function.ABS, DOUBLE, d), "abs(x)");
        add(cases, Kind.DOUBLES, call(Function.NEGATE, DOUBLE, d), "-x");
        add(
                cases,
                Kind.DOUBLES,
                call(Function.MULTIPLY, DOUBLE, d, literal(DOUBLE, "0.1")),
                "x * 0.1::DOUBLE");
        Expression m = x(Kind.MONIES);
        add(
                cases,
                Kind.MONIES,
                call(Function.ADD, type("decimal(11,2)"), m, literal(MONEY, "0.05")),
                "x + 0.05::DECIMAL(10,2)");
        add(
                cases,
                Kind.MONIES,
                call(Function.MULTIPLY, type("decimal(20,4)"), m, literal(MONEY, "-1.25")),
                "x * (-1.25)::DECIMAL(10,2)");
        add(
                cases,
                Kind.MONIES,
                call(Function.ROUND, type("decimal(10,1)"), m, integer(1)),
                "round(x, 1)");
        Expression l = x(Kind.LONGS);
        add(cases, Kind.LONGS, call(Function.DIVIDE, LONG, l, literal(LONG, 2)), "x // 2");
        add(cases, Kind.LONGS, call(Function.REMAINDER, LONG, l, literal(LONG, 4)), "x % 4");
    }

    private static void conversions(List<Case> cases) {
        add(cases, Kind.DOUBLES, tryCast(x(Kind.DOUBLES), INT), "TRY_CAST(x AS INTEGER)");
        add(cases, Kind.DOUBLES, tryCast(x(Kind.DOUBLES), MONEY), "TRY_CAST(x AS DECIMAL(10,2))");
        add(cases, Kind.LONGS, tryCast(x(Kind.LONGS), INT), "TRY_CAST(x AS INTEGER)");
        add(cases, Kind.LONGS, cast(x(Kind.LONGS), DOUBLE), "CAST(x AS DOUBLE)");
        add(cases, Kind.LONGS, tryCast(x(Kind.LONGS), MONEY), "TRY_CAST(x AS DECIMAL(10,2))");
        add(cases, Kind.LONGS, cast(x(Kind.LONGS), TEXT), "CAST(x AS VARCHAR)");
        add(cases, Kind.MONIES, cast(x(Kind.MONIES), INT), "CAST(x AS INTEGER)");
        add(cases, Kind.MONIES, cast(x(Kind.MONIES), DOUBLE), "CAST(x AS DOUBLE)");
        add(cases, Kind.MONIES, cast(x(Kind.MONIES), TEXT), "CAST(x AS VARCHAR)");
        add(
                cases,
                Kind.MONIES,
                cast(x(Kind.MONIES), type("decimal(12,1)")),
                "CAST(x AS DECIMAL(12,1))");
        add(cases, Kind.TEXTS, tryCast(x(Kind.TEXTS), DOUBLE), "TRY_CAST(x AS DOUBLE)");
        add(cases, Kind.TEXTS, tryCast(x(Kind.TEXTS), MONEY), "TRY_CAST(x AS DECIMAL(10,2))");
        add(cases, Kind.TEXTS, tryCast(x(Kind.TEXTS), DATE), "TRY_CAST(x AS DATE)");
        add(cases, Kind.DATES, cast(x(Kind.DATES), TIMESTAMP), "CAST(x AS TIMESTAMP)");
        add(cases, Kind.TIMESTAMPS, cast(x(Kind.TIMESTAMPS), DATE), "CAST(x AS DATE)");
        add(cases, Kind.TIMESTAMPS, cast(x(Kind.TIMESTAMPS), TEXT), "CAST(x AS VARCHAR)");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agrees(Case c) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>();
        c.kind.values.forEach(v -> values.add(c.kind.ours(v)));
        values.add(null);
        List<@Nullable Object> ours = over(c.kind.type, values, c.expression);
        List<@Nullable Object> theirs = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT CAST(%s AS VARCHAR) FROM %s ORDER BY i"
                                        .formatted(c.sql, c.kind))) {
            while (rows.next()) {
                theirs.add(rows.getString(1));
            }
        }
        // DuckDB's results come as text, which is read back into the result's type.
        ColumnType type = c.expression.type();
        assertThat(ours)
                .isEqualTo(
                        type.equals(TEXT)
                                ? theirs
                                : over(TEXT, theirs, cast(column(0, TEXT), type)));
    }
}
