package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.SpillwayApplication;
import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.HttpCaller;
import io.spillway.testing.RawCall;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A process that is told to stop while it streams. */
class ShutdownTest {

    private static final Pattern PORT = Pattern.compile("Netty started on port (\\d+)");
    private static final String NDJSON = "application/x-ndjson";
    private static final Duration PHASE = Duration.ofSeconds(20);

    @TempDir Path home;

    @Test
    void streamsBreakOffWithoutTheirEndAndTheProcessIsGoneSoon() throws Exception {
        Process process = start();
        try (BufferedReader log = process.inputReader(StandardCharsets.UTF_8)) {
            int port = port(log);
            Thread.ofVirtual().start(() -> log.lines().forEach(line -> {}));
            String made =
                    new HttpCaller("http://127.0.0.1:" + port)
                            .post(
                                    "/v1/jobs",
                                    "application/json",
                                    "{\"plan\": {\"from\": {\"dataset\": \"flights\"}}}")
                            .text();
            String job = "/v1/jobs/" + new JsonMapper().readTree(made).get("id").stringValue();
            try (RawCall rows = new RawCall(port, job + "/rows", NDJSON, 1 << 16);
                    EventStream events = EventStream.open(port, job + "/events", null)) {
                assertThat(rows.text(15)).isEqualTo("HTTP/1.1 200 OK");
                events.next("state");
                long told = System.nanoTime();
                process.destroy();

                assertThat(rows.readToEnd())
                        .doesNotContain("Spillway-Row-Count: ")
                        .doesNotEndWith("0\r\n\r\n");
                assertThat(untilItBreaks(events))
                        .extracting(Event::type)
                        .doesNotContain("end", "failure");
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(PHASE);
            }
        } finally {
            process.destroyForcibly();
        }
    }

    /** The events up to where the connection breaks; a clean end is none. */
    private static List<Event> untilItBreaks(EventStream events) {
        List<Event> seen = new ArrayList<>();
        try {
            for (Event event = events.next(); event != null; event = events.next()) {
                seen.add(event);
            }
        } catch (IOException e) {
            return seen;
        }
        throw new AssertionError("the stream ended well");
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        classPath(),
                        SpillwayApplication.class.getName(),
                        "--server.port=0",
                        "--spillway.home=" + home,
                        "--spillway.datasets.flights.format=parquet",
                        "--spillway.datasets.flights.paths[0]="
                                + Path.of("samples/flights-3m.parquet").toAbsolutePath())
                .redirectErrorStream(true)
                .start();
    }

    private static int port(BufferedReader log) throws IOException {
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            Matcher started = PORT.matcher(line);
            if (started.find()) {
                return Integer.parseInt(started.group(1));
            }
        }
        throw new AssertionError("the service did not start");
    }

    /** Some test launchers keep the class path in a class loader of their own. */
    private static String classPath() {
        return ShutdownTest.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(url -> Path.of(URI.create(url.toString())).toString())
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }
}
