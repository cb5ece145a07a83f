package io.spillway.benchmark;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Starts and stops JVMs beside this one, of the same JDK and class path. */
public final class JavaProcess {

    /** What all measured JVMs get, beside their own flags. */
    static final List<String> FLAGS =
            List.of(
                    "-Xmx512m",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow");

    private JavaProcess() {}

    /** A JVM that has its errors in this one's. */
    public static ProcessBuilder builder(List<String> program) {
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
    public static List<String> main(String type) {
        return List.of("-cp", classPath(), type);
    }

    /** What this JVM loads classes from, also where a test runner has a class loader of its own. */
    private static String classPath() {
        return Thread.currentThread().getContextClassLoader() instanceof URLClassLoader own
                ? Arrays.stream(own.getURLs())
                        .map(url -> Path.of(URI.create(url.toString())).toString())
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
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
