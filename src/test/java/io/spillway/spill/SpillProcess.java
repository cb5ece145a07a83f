package io.spillway.spill;

import io.spillway.batch.RecordBatch;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryPool;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A process that spills until it is killed, or until its standard input ends. */
final class SpillProcess {

    private SpillProcess() {}

    static Process start(Path folder) throws IOException {
        return new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                classPath(),
                                SpillProcess.class.getName(),
                                folder.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Some test launchers keep the class path in a class loader of their own. */
    private static String classPath() {
        return SpillProcess.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(url -> Path.of(URI.create(url.toString())).toString())
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    static void main(String[] arguments) throws IOException {
        try (MemoryPool pool = MemoryPool.root(64 << 20);
                SpillManager manager =
                        SpillManager.open(Path.of(arguments[0]), 1L << 32, Decode::decode);
                SpillSpace space = manager.space("child", pool);
                SpillWriter writer = space.create(SpillRows.SCHEMA);
                RecordBatch batch = SpillRows.batch(0, 1_000, 200, pool.allocator())) {
            while (System.in.available() == 0) {
                if (writer.bytes() < 256 << 20) {
                    writer.append(batch);
                } else {
                    int end = System.in.read();
                    if (end < 0) {
                        return;
                    }
                }
            }
        }
    }
}
