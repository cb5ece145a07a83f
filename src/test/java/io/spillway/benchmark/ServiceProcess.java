package io.spillway.benchmark;

import io.spillway.testing.ChunkedResponse;
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
import tools.jackson.databind.json.JsonMapper;

/** Spillway over HTTP on the loopback interface, in a process of its own. */
final class ServiceProcess implements AutoCloseable {

    private static final long START_NANOS = 300_000_000_000L;
    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Process process;
    private final Path home;
    private final int port;
    private final HttpCaller http;

    /**
     * Starts the service and waits until it is ready.
     *
     * @param program what is run: {@link #classes()} or {@link #packaged()}
     * @param flags of its JVM, beside those that all have
     * @param settings as on its command line, beside port and home
     */
    ServiceProcess(List<String> program, List<String> flags, List<String> settings)
            throws IOException {
        home = Files.createTempDirectory("spillway-benchmark");
        port = freePort();
        List<String> command = new ArrayList<>(flags);
        command.addAll(program);
        command.addAll(settings);
        command.add("--spillway.home=" + home);
        command.add("--server.port=" + port);
        process =
                JavaProcess.builder(command)
                        .redirectOutput(home.resolve("service.log").toFile())
                        .start();
        http = new HttpCaller("http://127.0.0.1:" + port);
        try {
            awaitReady();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** The service from this JVM's class path. */
    static List<String> classes() {
        return JavaProcess.main("io.spillway.SpillwayApplication");
    }

    /** The service's jar if it has been built, else as {@link #classes()}. */
    static List<String> packaged() throws IOException {
        return jar().map(jar -> List.of("-jar", jar.toString())).orElseGet(ServiceProcess::classes);
    }

    private static Optional<Path> jar() throws IOException {
        Path target = Path.of("target");
        if (Boolean.getBoolean("benchmark.classes") || !Files.isDirectory(target)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(ServiceProcess::isService).map(Path::toAbsolutePath).findFirst();
        }
    }

    private static boolean isService(Path file) {
        return file.getFileName().toString().matches("spillway-[^-]+(-SNAPSHOT)?\\.jar");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + START_NANOS;
        while (System.nanoTime() < end && process.isAlive()) {
            try (ChunkedResponse ready = ok("/actuator/health/readiness", JSON)) {
                ready.drain();
                return;
            } catch (IOException e) {
                Pause.millis(100);
            }
        }
        throw new IOException("not ready: " + Files.readString(home.resolve("service.log")));
    }

    /** Submits a plan; gives the path of its rows. */
    String submit(String plan) throws IOException {
        HttpAnswer answer = http.post("/v1/jobs", JSON, "{\"plan\":" + plan + "}");
        if (answer.status() != 201) {
            throw new IOException(answer.text());
        }
        return "/v1/jobs/" + MAPPER.readTree(answer.text()).required("id").stringValue();
    }

    /** Waits until a job's rows are counted, and so computed if that comes first. */
    void awaitCount(String job) throws IOException {
        HttpAnswer answer;
        do {
            answer = http.post(job + ":count?wait=30s", JSON, "");
        } while (answer.status() == 202);
        if (answer.status() != 200) {
            throw new IOException(answer.text());
        }
    }

    /** An answer that is a 200. */
    ChunkedResponse ok(String target, String accept) throws IOException {
        return ChunkedResponse.ok(port, target, accept);
    }

    /** Whole answers. */
    HttpCaller http() {
        return http;
    }

    int port() {
        return port;
    }

    /** The process's number. */
    long pid() {
        return process.pid();
    }

    /** A gauge or counter without labels, or the sum of all that have the name. */
    double metric(String name) throws IOException {
        HttpAnswer answer = http.get("/actuator/prometheus", "text/plain");
        return answer.text()
                .lines()
                .filter(line -> line.matches(name + "(\\{.*})? .*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .reduce(Double::sum)
                .orElseThrow(() -> new IOException("there is no metric " + name));
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
