package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.testing.EventStream;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A few rows of a thousand files: the others are not opened, and the first rows do not wait. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class EarlyEndCasesTest {

    private static final int FILES = 1_000;
    private static final int THREADS = 2;

    @TempDir static Path folder;

    private static SpillwayServer server;

    @BeforeAll
    static void start() throws IOException {
        Path first =
                ParquetFiles.write(
                        folder.resolve("000.parquet"), "SELECT range AS id FROM range(1000)");
        for (int i = 1; i < FILES; i++) {
            Files.copy(first, folder.resolve("%03d.parquet".formatted(i)));
        }
        server =
                SpillwayServer.builder()
                        .dataset("many", folder)
                        .set("spillway.scheduler.threads", "" + THREADS)
                        .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static double opened() {
        return server.bean("prometheusMeterRegistry", MeterRegistry.class)
                .get("spillway.scan.files.opened")
                .counter()
                .count();
    }

    private static String submit(String steps) {
        return server.submit(
                ("{`from`: {`dataset`: `many`}, `steps`: [" + steps + "]}").replace('`', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{`op`: `limit`, `rows`: 5} | 5",
                "{`op`: `filter`, `where`: `id >= 0`}, {`op`: `limit`, `rows`: 5} | 5",
                "{`op`: `limit`, `rows`: 1000}, {`op`: `limit`, `rows`: 1} | 1",
                "{`op`: `filter`, `where`: `id > 990`}, {`op`: `limit`, `rows`: 5}, {`op`:"
                        + " `rowIndex`, `name`: `i`} | 5"
            })
    void aLimitStopsTheReadingBelowIt(String steps, int rows) throws Exception {
        for (RowForm form : RowForm.values()) {
            String job = submit(steps);
            double before = opened();
            assertThat(form.rows(server.port(), job, "")).as("%s", form).hasSize(rows);
            assertOpenedFew(before);
        }
    }

    @Test
    void aPageReadsNoFurtherThanItsRows() throws Exception {
        for (String steps : new String[] {"", "{`op`: `filter`, `where`: `id >= 0`}"}) {
            String job = submit(steps);
            double before = opened();
            assertThat(RowForm.JSON.rows(server.port(), job, "limit=5")).hasSize(5);
            assertOpenedFew(before);
        }
    }

    @Test
    void aReaderOfEventsThatLeavesStopsTheReading() throws Exception {
        String job = submit("{`op`: `filter`, `where`: `id >= 0`}");
        double before = opened();
        try (EventStream events =
                EventStream.open(server.port(), "/v1/jobs/" + job + "/rows?batch=5", null)) {
            events.next("rows");
            events.reset();
        }
        Thread.sleep(500);
        double then = opened();
        Thread.sleep(500);
        assertThat(opened()).isEqualTo(then);
        // Some were on their way into the sockets' buffers.
        assertThat(then - before).isLessThan(FILES / 2.0);
    }

    private static void assertOpenedFew(double before) throws InterruptedException {
        // Were something still at work, it would show.
        Thread.sleep(50);
        assertThat(opened() - before).as("files opened").isLessThanOrEqualTo(THREADS + 1);
    }
}
