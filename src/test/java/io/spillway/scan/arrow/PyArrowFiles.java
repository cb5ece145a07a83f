package io.spillway.scan.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Files and streams that pyarrow writes. */
final class PyArrowFiles {

    private static final Path SCRIPT = Path.of("src/test/python/arrow_files.py");

    private PyArrowFiles() {}

    /**
     * Writes files into a folder, each with its rows beside it.
     *
     * @param which {@code all}, or {@code small} for those of a few hundred rows at most
     */
    static List<Path> write(Path folder, String which) throws IOException, InterruptedException {
        String python = System.getProperty("spillway.python", "python3");
        Path errors = folder.resolve("errors");
        Process process =
                new ProcessBuilder(python, SCRIPT.toString(), folder.toString(), which)
                        .redirectError(errors.toFile())
                        .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(
                        "%s, which needs pyarrow (system property spillway.python names the"
                                + " interpreter), says: %s",
                        python, Files.readString(errors))
                .isZero();
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().matches(".*\\.(file|stream)"))
                    .sorted()
                    .toList();
        }
    }
}
