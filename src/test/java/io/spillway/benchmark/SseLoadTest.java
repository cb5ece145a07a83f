package io.spillway.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers of events that stall by the thousand hurt nobody. */
@SuppressWarnings("NullAway.Init") // the service is there before all tests
class SseLoadTest {

    private static final String PLAN = "{\"from\": {\"dataset\": \"measured\"}}";
    private static final Path FLIGHTS = Path.of("samples/flights-3m.parquet").toAbsolutePath();
    private static final List<String> SETTINGS =
            List.of(
                    "--spillway.memory.budget=256MB",
                    "--spillway.memory.per-job=256MB",
                    // They are to stall for as long as the others take.
                    "--spillway.limits.stall=1h",
                    "--spillway.datasets.measured.paths[0]=" + FLIGHTS);

    private static ServiceProcess service;

    @BeforeAll
    static void start() throws IOException {
        service = new ServiceProcess(ServiceProcess.classes(), List.of(), SETTINGS);
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
    }

    @Test
    void hundredsOfStalledReaders() throws IOException {
        SseLoad.Result result = new SseLoad(service, service.submit(PLAN)).run(200, 10, 1_000);
        assertThat(result.dropped()).isZero();
        assertThat(result.residentBytes()).isLessThan(700L << 20);
        assertThat(result.liveMegabytesPerSecond()).isGreaterThan(5);
        assertThat(result.controlMillis()).isLessThan(5_000);
        assertThat(result.backMillis()).isLessThan(5_000);
    }

    @Test
    @Tag("long")
    void thousandsOfStalledReaders() throws IOException {
        SseLoad.Result result = new SseLoad(service, service.submit(PLAN)).run(5_000, 100, 10_000);
        assertThat(result.dropped()).isZero();
        assertThat(result.residentBytes()).isLessThan(700L << 20);
        assertThat(result.liveMegabytesPerSecond()).isGreaterThan(50);
        assertThat(result.controlMillis()).isLessThan(1_000);
        assertThat(result.backMillis()).isLessThan(5_000);
    }

    @Test
    @Tag("long")
    void tenThousandOpenReadersCostLittleEach() throws IOException {
        try (ServiceProcess roomy =
                new ServiceProcess(ServiceProcess.classes(), OpenReaders.FLAGS, SETTINGS)) {
            assertThat(OpenReaders.bytesEach(roomy, roomy.submit(PLAN), 10_000))
                    .isLessThan(20 * 1024);
        }
    }
}
