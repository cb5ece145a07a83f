package io.spillway.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts and stops JVMs beside this one, of the same JDK and class path. */
final class JavaProcess {

    /** What all measured JVMs get, beside their own flags. */
    static final List<String> FLAGS =
            List.of(
                    "-Xmx512m",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow");

    private JavaProcess() {}

    /** A JVM that has its errors in this one's. */
    static ProcessBuilder builder(List<String> program) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(program);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** A main class on this JVM's class path. */
    static List<String> main(Class<?> type) {
        return main(type.getName());
    }

    /** A main class on this JVM's class path. */
    static List<String> main(String type) {
        return List.of("-cp", System.getProperty("java.class.path"), type);
    }

    /** Ends a process and waits until it has ended. */
    static void stop(Process process) throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
