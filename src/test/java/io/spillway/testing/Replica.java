package io.spillway.testing;

import static org.awaitility.Awaitility.await;

import io.spillway.benchmark.JavaProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The service in a process of its own, which shares a job store and a spool with others, and can be
 * killed and started again. Has one port for all its lives.
 */
public final class Replica implements AutoCloseable {

    private static final Duration SOON = Duration.ofMinutes(3);

    private final List<String> program;
    private final int port;
    private final Path log;
    private final HttpCaller http;
    private Process process;

    /**
     * Starts, and waits until it is ready.
     *
     * @param home folder for itself
     * @param settings as on its command line, beside home and port
     */
    public Replica(Path home, List<String> settings) throws IOException {
        port = freePort();
        log = home.resolveSibling(home.getFileName() + ".log");
        program =
                new ArrayList<>(
                        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx384m"));
        program.addAll(JavaProcess.main("io.spillway.SpillwayApplication"));
        program.addAll(settings);
        program.add("--spillway.home=" + home);
        program.add("--server.port=" + port);
        http = new HttpCaller("http://127.0.0.1:" + port);
        process = process();
        awaitReady();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Process process() throws IOException {
        return JavaProcess.builder(program)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private void awaitReady() {
        await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> http.get("/actuator/health/readiness", "*/*").status() == 200);
    }

    /** Calls against it. */
    public HttpCaller http() {
        return http;
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    /** SIGKILL. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM, and waits until it has ended by itself. */
    public void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            throw new AssertionError("the service does not end, see " + log);
        }
    }

    /** Starts again after it has ended, and waits until it is ready. */
    public void start() throws IOException {
        process = process();
        awaitReady();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
