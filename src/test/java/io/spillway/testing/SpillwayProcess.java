package io.spillway.testing;

import io.spillway.benchmark.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import reactor.core.Exceptions;

/** The service in a process of its own, which can be killed. */
public final class SpillwayProcess implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(3);
    private static final String JSON = "application/json";

    private final Process process;
    private final HttpCaller http;

    private SpillwayProcess(Process process, HttpCaller http) {
        this.process = process;
        this.http = http;
    }

    /**
     * Starts the service and waits until it is ready.
     *
     * @param home its home, which it leaves behind
     * @param settings as on its command line, beside port and home
     */
    public static SpillwayProcess start(Path home, List<String> settings) {
        try {
            Files.createDirectories(home);
            int port = freePort();
            List<String> command = new ArrayList<>();
            command.add("-XX:TieredStopAtLevel=1");
            command.addAll(JavaProcess.main("io.spillway.SpillwayApplication"));
            command.addAll(settings);
            command.add("--spillway.home=" + home);
            command.add("--server.port=" + port);
            Path log = home.resolve("service.log");
            Process process =
                    JavaProcess.builder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            SpillwayProcess service =
                    new SpillwayProcess(process, new HttpCaller("http://127.0.0.1:" + port));
            service.awaitReady(log);
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady(Path log) throws IOException {
        long end = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < end && process.isAlive()) {
            if (isReady()) {
                return;
            }
            Pauses.pause(Duration.ofMillis(100));
        }
        kill();
        throw new IOException("not ready: " + Files.readString(log));
    }

    private boolean isReady() {
        try {
            return http.get("/actuator/health/readiness", JSON).status() == 200;
        } catch (RuntimeException e) {
            if (Exceptions.unwrap(e) instanceof IOException) {
                return false;
            }
            throw e;
        }
    }

    /** Calls against it. */
    public HttpCaller http() {
        return http;
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it by SIGKILL, and waits until it has ended. */
    public void kill() {
        process.destroyForcibly();
        boolean ended = false;
        while (!ended) {
            try {
                process.waitFor();
                ended = true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Kills it if it lives. */
    @Override
    public void close() {
        kill();
    }
}
