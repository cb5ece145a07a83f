package io.spillway.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A server in a JVM of its own, from jars that the build puts below {@code target}, so that nothing
 * of its class path meets ours. Ends with this JVM.
 */
final class ServerProcess {

    private static final Path JARS = Path.of("target", "test-servers");
    private static final Duration START = Duration.ofMinutes(2);

    private final Process process;
    private final Path log;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** A jar that the build has fetched. */
    static Path jar(String name) {
        return JARS.resolve(name).toAbsolutePath();
    }

    /** The jar that a class of this JVM comes from. */
    static Path jarOf(Class<?> type) {
        return Path.of(
                java.net.URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /**
     * Starts a main class.
     *
     * @param folder its working folder, where its log goes too
     */
    static ServerProcess start(
            Path folder, List<Path> classPath, String mainClass, String... arguments)
            throws IOException {
        List<String> jars = classPath.stream().map(Path::toString).toList();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, jars), mainClass));
        command.addAll(List.of(arguments));
        Path log = folder.resolve("server.log");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new ServerProcess(process, log);
    }

    /** Waits until it is ready. */
    void await(BooleanSupplier ready) throws IOException {
        long deadline = System.nanoTime() + START.toNanos();
        while (!ready.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("a server of tests does not start, see " + log);
            }
            Pauses.pause(Duration.ofMillis(50));
        }
    }
}
