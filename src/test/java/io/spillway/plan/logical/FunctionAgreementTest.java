package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Functions over the same random file as DuckDB sees, where the two are meant to agree: texts in
 * dictionaries and out of them, of several bytes a character, and nulls among all.
 */
class FunctionAgreementTest {

    private static final int ROWS = 3_000;

    private static final String[] PIECES = {
        "a", "b", "ab", "A", "-", " ", "é", "É", "😀", "%", "_", "\\\\", "1", "23", ".", "x y", ""
    };

    private static SpillwayServer server;
    private static Connection duckdb;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException, SQLException {
        int seed = RandomGenerator.getDefault().nextInt(1_000_000);
        System.out.println("seed " + seed);
        String pieces = "['" + String.join("','", PIECES).replace("\\\\", "\\") + "']";
        String piece = "%s[1 + (hash(i * 7 + %d + " + seed + ") %% " + PIECES.length + ")::BIGINT]";
        String few = piece.formatted(pieces, 1) + " || " + piece.formatted(pieces, 2);
        String many =
                few
                        + " || "
                        + piece.formatted(pieces, 3)
                        + " || "
                        + piece.formatted(pieces, 4)
                        + " || "
                        + piece.formatted(pieces, 5);
        String number = "(hash(i + 11 + " + seed + ") % 21)::INTEGER - 10";
        String micros =
                "((hash(i * 3 + " + seed + ") % 4000000000000000)::BIGINT - 1000000000000000)";
        Path root = folder.toRealPath();
        Path file = root.resolve("t.parquet");
        ParquetFiles.write(
                file,
                ("SELECT i AS id, CASE WHEN i %% 9 <> 4 THEN %s END AS few,"
                                + " CASE WHEN i %% 7 <> 3 THEN %s || i END AS many,"
                                + " CASE WHEN i %% 5 <> 2 THEN %s END AS n,"
                                + " CASE WHEN i %% 6 <> 1 THEN make_timestamp(%s) END AS ts,"
                                + " CASE WHEN i %% 8 <> 1 THEN make_timestamp(%s)::DATE END AS d,"
                                + " CASE WHEN i %% 8 <> 5 THEN (%s) / 3.0::DOUBLE END AS f"
                                + " FROM range(%d) r(i)")
                        .formatted(few, many, number, micros, micros, number, ROWS));
        server = SpillwayServer.builder().root(root).dataset("t", file).start();
        duckdb = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = duckdb.createStatement()) {
            statement.execute("CREATE TABLE t AS SELECT * FROM '%s'".formatted(file));
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        server.close();
        duckdb.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '§',
            value = {
                "\"LEFT\"(many, n) ¦ left(many, n)",
                "\"RIGHT\"(many, n) ¦ right(many, n)",
                "LPAD(few, n, '😀b') ¦ lpad(few, CASE WHEN n < 0 THEN 0 ELSE n END, '😀b')",
                "RPAD(few, n, 'é') ¦ rpad(few, CASE WHEN n < 0 THEN 0 ELSE n END, 'é')",
                "REPEAT(few, n) ¦ repeat(few, n)",
                "SPLIT_PART(many, '-', n)"
                        + " ¦ CASE WHEN n = 0 THEN left(many, 0) ELSE split_part(many, '-', n) END",
                "SPLIT_PART(many, 'ab', 2) ¦ split_part(many, 'ab', 2)",
                "STARTS_WITH(many, few) ¦ starts_with(many, few)",
                "ENDS_WITH(few, 'b') ¦ ends_with(few, 'b')",
                "CONTAINS(many, few) ¦ contains(many, few)",
                "OCTET_LENGTH(many) ¦ strlen(many)",
                "TRIM(BOTH 'aé' FROM many) ¦ trim(many, 'aé')",
                "LTRIM(many, few) ¦ ltrim(many, few)",
                "RTRIM(few, ' b😀') ¦ rtrim(few, ' b😀')",
                "MD5(few) ¦ md5(few)",
                "SHA256(many) ¦ sha256(many)",
                "REGEXP_LIKE(many, 'a.*[0-9]{2}') ¦ regexp_matches(many, 'a.*[0-9]{2}')",
                "REGEXP_LIKE(few, '^.$') ¦ regexp_matches(few, '^.$')",
                "REGEXP_LIKE(many, '(?i)é\\pL') ¦ regexp_matches(many, '(?i)é\\pL')",
                "COALESCE(REGEXP_EXTRACT(many, '([a-z]+)(\\d)', 1), '')"
                        + " ¦ coalesce(CASE WHEN many IS NOT NULL THEN"
                        + " regexp_extract(many, '([a-z]+)(\\d)', 1) END, '')",
                "REGEXP_REPLACE(many, '([^0-9])', '<\\1>')"
                        + " ¦ regexp_replace(many, '([^0-9])', '<\\1>', 'g')",
                "REGEXP_REPLACE(few, 'b*', '-') ¦ regexp_replace(few, 'b*', '-', 'g')",
                "REGEXP_REPLACE(many, '^.|.$|\\b', '#')"
                        + " ¦ regexp_replace(many, '^.|.$|\\b', '#', 'g')",
                "REGEXP_LIKE(many, '[^a-zé]$') ¦ regexp_matches(many, '[^a-zé]$')",
                "many ILIKE '%AB%' ¦ many ILIKE '%AB%'",
                "few ILIKE 'é_%' ¦ few ILIKE 'é_%'",
                "many ILIKE '%A!%%' ESCAPE '!' ¦ many ILIKE '%A!%%' ESCAPE '!'",
                "GREATEST(few, many) ¦ CASE WHEN few IS NOT NULL AND many IS NOT NULL THEN"
                        + " greatest(few, many) END",
                "LEAST(n, CAST(id AS INTEGER) % 5, 3)"
                        + " ¦ CASE WHEN n IS NOT NULL THEN least(n, id % 5, 3) END",
                "SIGN(n) ¦ sign(n)",
                "EXTRACT(WEEK FROM d) ¦ week(d)",
                "EXTRACT(ISOYEAR FROM ts) ¦ isoyear(ts)",
                "EXTRACT(ISODOW FROM d) ¦ isodow(d)",
                "EXTRACT(DECADE FROM d) ¦ decade(d)",
                "EXTRACT(CENTURY FROM ts) ¦ century(ts)",
                "EXTRACT(MILLENNIUM FROM ts) ¦ millennium(ts)",
                "EXTRACT(MILLISECOND FROM ts) ¦ millisecond(ts)",
                "EXTRACT(MICROSECOND FROM ts) ¦ microsecond(ts)",
                "EXTRACT(EPOCH FROM ts) ¦ floor(epoch(ts))::BIGINT",
                "DATE_TRUNC('year', d) ¦ date_trunc('year', d)::DATE",
                "DATE_TRUNC('week', d) ¦ date_trunc('week', d)::DATE",
                "DATE_TRUNC('quarter', ts) ¦ date_trunc('quarter', ts)",
                "DATE_BUCKET('minute', 10, ts) ¦ time_bucket(INTERVAL 10 MINUTE, ts)",
                "DATE_BUCKET('day', 3, d) ¦ time_bucket(INTERVAL 3 DAY, d, DATE '1900-01-01')",
                "DATE_BUCKET('month', 4, d) ¦ time_bucket(INTERVAL 4 MONTH, d)",
                "DATE_TRUNC('hour', ts) ¦ date_trunc('hour', ts)",
                "DATE_TRUNC('millisecond', ts) ¦ date_trunc('millisecond', ts)",
                "DATE_DIFF('year', d, ts) ¦ date_diff('year', d, ts)",
                "DATE_DIFF('quarter', d, ts) ¦ date_diff('quarter', d, ts)",
                "DATE_DIFF('month', ts, d) ¦ date_diff('month', ts, d)",
                "DATE_DIFF('week', d, ts) ¦ date_diff('week', d, ts)",
                "DATE_DIFF('day', d, ts) ¦ date_diff('day', d, ts)",
                "DATE_DIFF('hour', d, ts) ¦ date_diff('hour', d, ts)",
                "DATE_DIFF('microsecond', ts, d) ¦ date_diff('microsecond', ts, d)",
                "DATE_ADD('month', n, d) ¦ (d + to_months(n))::DATE",
                "DATE_ADD('year', n, ts) ¦ ts + to_years(n)",
                "DATE_ADD('week', n, d) ¦ (d + to_days(n * 7))::DATE",
                "DATE_ADD('minute', n, ts) ¦ ts + to_minutes(n)",
                "STRFTIME(ts, '%Y-%m-%d %H:%M:%S.%f %j %y %I %p %a %A %b %B %w %u')"
                        + " ¦ strftime(ts, '%Y-%m-%d %H:%M:%S.%f %j %y %I %p %a %A %b %B %w %u')",
                "STRFTIME(d, '%-d.%-m.%Y %G-%V %g%%')" + " ¦ strftime(d, '%-d.%-m.%Y %G-%V %g%%')",
                "STRPTIME(STRFTIME(ts, '%d %B %Y %I:%M:%S %p'), '%d %B %Y %I:%M:%S %p')"
                        + " ¦ date_trunc('second', ts)",
                "TRY_STRPTIME(many, '%d') ¦ try_strptime(many, '%d')"
            })
    void agrees(String ours, String theirs) throws SQLException {
        List<@Nullable String> expected = new ArrayList<>();
        try (Statement statement = duckdb.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT CAST(%s AS VARCHAR) FROM t ORDER BY id"
                                        .formatted(theirs))) {
            while (rows.next()) {
                expected.add(rows.getString(1));
            }
        }
        List<@Nullable String> answers = answers("CAST(%s AS VARCHAR)".formatted(ours));
        assertThat(answers).hasSameSizeAs(expected);
        List<@Nullable String> few = answers("few");
        List<@Nullable String> many = answers("many");
        for (int i = 0; i < ROWS; i++) {
            assertThat(answers.get(i))
                    .as("row %d, few '%s', many '%s'", i, few.get(i), many.get(i))
                    .isEqualTo(expected.get(i));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            value = {
                "LOG10(ABS(f) + 1) ¦ log10(abs(f) + 1)",
                "LOG2(ABS(f) + 1) ¦ log2(abs(f) + 1)",
                "CBRT(f) ¦ cbrt(f)",
                "SIN(f) ¦ sin(f)",
                "TAN(f) ¦ tan(f)",
                "ACOS(f / 4) ¦ acos(f / 4)",
                "ATAN2(f, n) ¦ atan2(f, n)",
                "TANH(f) ¦ tanh(f)",
                "DEGREES(f) ¦ degrees(f)",
                "RADIANS(n) ¦ radians(n)"
            })
    void agreesNearly(String ours, String theirs) throws SQLException {
        List<@Nullable String> answers = answers(ours);
        try (Statement statement = duckdb.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT %s FROM t ORDER BY id".formatted(theirs))) {
            for (String answer : answers) {
                rows.next();
                double expected = rows.getDouble(1);
                assertThat(answer == null).isEqualTo(rows.wasNull());
                if (answer != null) {
                    assertThat(Double.parseDouble(answer))
                            .isCloseTo(
                                    expected,
                                    Offset.offset(1e-13 * Math.max(1, Math.abs(expected))));
                }
            }
        }
    }

    @Test
    void reversingTwiceChangesNothing() {
        assertThat(answers("REVERSE(REVERSE(many)) IS NOT DISTINCT FROM many"))
                .hasSize(ROWS)
                .containsOnly("true");
    }

    private static List<@Nullable String> answers(String expression) {
        String sql = "SELECT %s AS answer FROM t".formatted(expression);
        String plan = JsonMapper.shared().writeValueAsString(Map.of("from", Map.of("sql", sql)));
        List<@Nullable String> answers = new ArrayList<>();
        for (String row : server.ndjson(plan)) {
            JsonNode answer = JsonMapper.shared().readTree(row).get("answer");
            answers.add(answer.isNull() ? null : answer.asString());
        }
        return answers;
    }
}
