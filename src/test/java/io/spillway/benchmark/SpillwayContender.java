package io.spillway.benchmark;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.HttpCaller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Spillway over HTTP on the loopback interface, in a process of its own. */
final class SpillwayContender implements Contender {

    /** Settings that the measurement is made with. */
    static final List<String> SETTINGS =
            List.of("--spillway.memory.budget=256MB", "--spillway.memory.per-job=256MB");

    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Process process;
    private final Path home;
    private final int port;
    private final HttpCaller http;
    private final String job;

    /**
     * Starts the service and submits the job.
     *
     * @param jar the service's jar, or empty to run it from this JVM's class path
     */
    SpillwayContender(Optional<Path> jar, int threads, String glob) throws IOException {
        home = Files.createTempDirectory("spillway-benchmark");
        port = freePort();
        List<String> program =
                new ArrayList<>(
                        jar.map(j -> List.of("-jar", j.toString()))
                                .orElse(JavaProcess.main("io.spillway.SpillwayApplication")));
        program.addAll(SETTINGS);
        program.add("--spillway.scheduler.threads=" + threads);
        program.add("--spillway.home=" + home);
        program.add("--spillway.datasets.measured.format=parquet");
        program.add("--spillway.datasets.measured.paths[0]=" + glob);
        program.add("--server.port=" + port);
        process =
                JavaProcess.builder(program)
                        .redirectOutput(home.resolve("service.log").toFile())
                        .start();
        http = new HttpCaller("http://127.0.0.1:" + port);
        awaitReady();
        HttpAnswer answer =
                http.post(
                        "/v1/jobs",
                        "application/json",
                        "{\"plan\":{\"from\":{\"dataset\":\"measured\"}}}");
        if (answer.status() != 201) {
            throw new IOException(answer.text());
        }
        job = MAPPER.readTree(answer.text()).required("id").stringValue();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < end && process.isAlive()) {
            try (ChunkedResponse ready =
                    new ChunkedResponse(port, "/actuator/health/readiness", "application/json")) {
                ready.drain();
                return;
            } catch (IOException e) {
                Pause.millis(100);
            }
        }
        throw new IOException("not ready: " + Files.readString(home.resolve("service.log")));
    }

    /** An open stream of all rows. */
    ChunkedResponse open() throws IOException {
        return new ChunkedResponse(port, "/v1/jobs/" + job + "/rows", NDJSON);
    }

    /** Readers that the service says are at work. */
    int activeReaders() {
        JsonNode document = MAPPER.readTree(http.get("/v1/jobs/" + job, "application/json").text());
        return document.at("/progress/activeReaders").intValue();
    }

    @Override
    public String name() {
        return "Spillway, HTTP";
    }

    @Override
    public Streamed stream() throws IOException {
        long start = System.nanoTime();
        try (ChunkedResponse rows = open()) {
            rows.drain();
            return new Streamed(
                    Long.parseLong(rows.field("Spillway-Row-Count")),
                    rows.bytes(),
                    System.nanoTime() - start);
        }
    }

    @Override
    public long firstRow() throws IOException {
        long start = System.nanoTime();
        try (ChunkedResponse rows = open()) {
            rows.read();
            return System.nanoTime() - start;
        }
    }

    @Override
    public long page(long offset) throws IOException {
        long start = System.nanoTime();
        String target = "/v1/jobs/" + job + "/rows?limit=100&offset=" + offset;
        try (ChunkedResponse page = new ChunkedResponse(port, target, "application/json")) {
            page.drain();
            return System.nanoTime() - start;
        }
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        JavaProcess.stop(process);
        try (Stream<Path> tree = Files.walk(home)) {
            for (Path p : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        }
    }
}
