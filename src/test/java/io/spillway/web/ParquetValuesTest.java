package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values of Parquet files as a client sees them: times in no zone but their own, exact decimals.
 */
@SuppressWarnings("NullAway.Init") // the folder and the server are there before all tests
class ParquetValuesTest {

    private static final Path SUITE =
            Path.of("src/test/resources/parquet-testing/data").toAbsolutePath();
    private static final TimeZone ZONE = TimeZone.getDefault();

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static Path times;

    @BeforeAll
    static void start() {
        times =
                ParquetFiles.write(
                        folder.resolve("times.parquet"),
                        """
                        SELECT make_timestamp(us) AS ts_local, make_timestamptz(us) AS ts_utc
                        FROM (VALUES (1772937000000000), (1779377400000000)) t(us)
                        """);
        server = SpillwayServer.builder().root(folder).root(SUITE).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String plan(Path file, String where) {
        return """
        {"from": {"files": {"format": "parquet", "paths": ["%s"]}}, "steps": [{"op": "filter", "where": "%s"}]}
        """
                .formatted(file, where);
    }

    /** 02:30 on that day does not exist in New York. */
    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Asia/Seoul", "America/New_York"})
    void timesDoNotMoveWithTheMachinesZone(String zone) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            assertThat(server.ndjson(plan(times, "true")))
                    .containsExactly(
                            "{\"ts_local\":\"2026-03-08T02:30:00.000000\",\"ts_utc\":\"2026-03-08T02:30:00.000000Z\"}",
                            "{\"ts_local\":\"2026-05-21T15:30:00.000000\",\"ts_utc\":\"2026-05-21T15:30:00.000000Z\"}");
            assertThat(server.ndjson(plan(times, "ts_local = TIMESTAMP '2026-03-08 02:30:00'")))
                    .hasSize(1)
                    .allSatisfy(row -> assertThat(row).contains("2026-03-08T02:30:00"));
        } finally {
            TimeZone.setDefault(ZONE);
        }
    }

    @Test
    void decimalsKeepTheirScaleAndHaveNoExponent() {
        Path file =
                ParquetFiles.write(
                        folder.resolve("decimals.parquet"),
                        """
                        SELECT 0::DECIMAL(38,18) AS zero, 2500::DECIMAL(10,2) AS round, -0.01::DECIMAL(10,2) AS cent,
                               0.000000001::DECIMAL(9,9) AS tiny,
                               99999999999999999999999999999999999999::DECIMAL(38,0) AS nines
                        """);

        assertThat(server.ndjson(plan(file, "true")).getFirst().replace("\"", ""))
                .isEqualTo(
                        "{zero:0.000000000000000000,round:2500.00,cent:-0.01,tiny:0.000000001,"
                                + "nines:99999999999999999999999999999999999999}");
    }

    /** What such a page holds is then whatever its bytes say. */
    @ParameterizedTest
    @CsvSource({
        "datapage_v1-corrupt-checksum.parquet, 5120",
        "rle-dict-uncompressed-corrupt-checksum.parquet, 1000"
    })
    void pagesThatFailTheirChecksumAreReadIfAskedFor(String file, int rows) {
        String plan =
                """
                {"from": {"files": {"format": "parquet", "paths": ["%s"], "options": {"verifyChecksums": %s}}}}
                """;

        assertThat(server.ndjson(plan.formatted(SUITE.resolve(file), false))).hasSize(rows);
        HttpAnswer checked =
                server.http()
                        .post(
                                "/v1/rows",
                                "application/json",
                                "{\"plan\": " + plan.formatted(SUITE.resolve(file), true) + "}");
        assertThat(checked.status()).as(checked.text()).isEqualTo(422);
        assertThat(checked.text()).contains("file-corrupt", "fails its checksum");
    }

    @ParameterizedTest
    @CsvSource({
        "int32_decimal.parquet",
        "int64_decimal.parquet",
        "byte_array_decimal.parquet",
        "fixed_length_decimal.parquet",
        "fixed_length_decimal_legacy.parquet"
    })
    void decimalsLookTheSameHoweverTheyAreStored(String file) {
        List<String> rows = server.ndjson(plan(SUITE.resolve(file), "true"));

        assertThat(rows).hasSize(24);
        for (int i = 0; i < 24; i++) {
            assertThat(rows.get(i).replace("\"", "")).isEqualTo("{value:" + (i + 1) + ".00}");
        }
    }

    @Test
    void aLiteralWithAHugeExponentIsRefusedAtOnce() {
        Path file = SUITE.resolve("int32_decimal.parquet");
        long start = System.nanoTime();

        HttpAnswer answer =
                server.http()
                        .post(
                                "/v1/rows",
                                "application/x-ndjson",
                                "{\"plan\": "
                                        + plan(
                                                file,
                                                "\\\"value\\\" = CAST(1e1000000000 AS DECIMAL(9,"
                                                        + " 2))")
                                        + "}");

        assertThat(answer.status()).as(answer.text()).isBetween(400, 499);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
}
