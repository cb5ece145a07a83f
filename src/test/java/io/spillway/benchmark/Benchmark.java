package io.spillway.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures Spillway over HTTP and DuckDB by JDBC side by side, in one run over the same files, each
 * in a process of its own with the same heap and as many threads, and prints Markdown. Streams take
 * turns for some rounds after one that does not count, then short calls do; what is printed are
 * medians. The client shares the machine with the service.
 *
 * <p>Settings, as system properties: {@code benchmark.rows} (20000000) of the generated data set,
 * {@code benchmark.folder} (benchmark-data) where it is kept, {@code benchmark.rounds} (5), {@code
 * benchmark.threads} (all cores).
 */
public final class Benchmark {

    private final PrintStream out;
    private final int rounds;
    private final int threads;
    private final Optional<Path> jar;

    private Benchmark(PrintStream out, int rounds, int threads, Optional<Path> jar) {
        this.out = out;
        this.rounds = rounds;
        this.threads = threads;
        this.jar = jar;
    }

    /** Runs everything from the project's top folder. */
    public static void main(String[] args) throws IOException, SQLException {
        int cores = Runtime.getRuntime().availableProcessors();
        Benchmark benchmark =
                new Benchmark(
                        System.out,
                        Integer.getInteger("benchmark.rounds", 5),
                        Integer.getInteger("benchmark.threads", cores),
                        jar());
        long rows = Long.getLong("benchmark.rows", 20_000_000L);
        Path folder =
                Path.of(System.getProperty("benchmark.folder", "benchmark-data")).toAbsolutePath();
        Path flights = Path.of("samples", "flights-3m.parquet").toAbsolutePath();
        benchmark.run("flights-3m.parquet", List.of(flights), flights.toString(), 3_000_000, 5);
        List<Path> trips = TripsData.make(folder, rows, TripsData.Form.DICTIONARIES);
        benchmark.run("trips", trips, folder.resolve("part-*.parquet").toString(), rows, 19);
        benchmark.conditions();
    }

    /** The packaged service, if it has been built. */
    private static Optional<Path> jar() throws IOException {
        Path target = Path.of("target");
        if (!Files.isDirectory(target)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(
                            f ->
                                    f.getFileName()
                                            .toString()
                                            .matches("spillway-[^-]+(-SNAPSHOT)?\\.jar"))
                    .map(Path::toAbsolutePath)
                    .findFirst();
        }
    }

    private void run(String name, List<Path> files, String glob, long rows, int columns)
            throws IOException {
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        try (SpillwayContender spillway = new SpillwayContender(jar, threads, glob);
                DuckDbContender duckdb = new DuckDbContender(threads, glob)) {
            List<Contender> contenders = List.of(spillway, duckdb);
            List<Measurement> measurements = Measurement.of(contenders, rows, rounds);
            SlowReaders.Result slow = SlowReaders.run(spillway);
            out.printf(
                    Locale.ROOT,
                    "%s: %,d rows × %d columns, %d file%s, %,d MB%n",
                    name,
                    rows,
                    columns,
                    files.size(),
                    files.size() == 1 ? "" : "s",
                    bytes / 1_000_000);
            table(contenders, measurements, slow, spillway.peakBytes());
        }
    }

    private void table(
            List<Contender> contenders,
            List<Measurement> measurements,
            SlowReaders.Result slow,
            long peak) {
        out.println();
        out.printf(
                Locale.ROOT,
                "| | %s |%n",
                String.join(" | ", contenders.stream().map(Contender::name).toList()));
        out.printf(Locale.ROOT, "|---|%s%n", "---:|".repeat(contenders.size()));
        List<String> labels = Measurement.labels();
        for (int i = 0; i < labels.size(); i++) {
            List<String> cells = new ArrayList<>();
            for (Measurement m : measurements) {
                cells.add(m.cells().get(i));
            }
            out.printf(Locale.ROOT, "| %s | %s |%n", labels.get(i), String.join(" | ", cells));
        }
        out.printf(
                Locale.ROOT,
                "| beside %d slow readers: rows/s of a fast one | %,.0f | – |%n",
                SlowReaders.COUNT,
                slow.fast().rows() * 1e9 / slow.fast().nanos());
        out.printf(
                Locale.ROOT,
                "| beside %d slow readers: peak memory, MiB | %,d | – |%n",
                SlowReaders.COUNT,
                peak >> 20);
        out.printf(
                Locale.ROOT,
                "| all readers gone: freed after, ms | %,.0f | – |%n",
                slow.freedNanos() / 1e6);
        out.println();
        out.printf(
                Locale.ROOT,
                "Meanwhile the slow readers took %,d MB together; resident memory was at most %,d"
                        + " MiB.%n",
                slow.slowBytes() / 1_000_000,
                slow.residentBytes() >> 20);
        out.println();
    }

    private void conditions() throws IOException {
        long memory = 0;
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemTotal:")) {
                memory = Long.parseLong(line.replaceAll("\\D", "")) >> 20;
            }
        }
        out.printf(
                Locale.ROOT,
                "%d cores, %d GiB of memory, JDK %s, %d threads each. Both JVMs: `%s`."
                        + " Spillway%s: `%s`. Streams: medians of %d rounds after one of warm-up; short calls:"
                        + " of 51 after 100. Client and service share the machine. DuckDB's stream is `COPY (SELECT * …) TO"
                        + " '/dev/null' (FORMAT json)`, its MB/s from the size of its first million"
                        + " rows.%n",
                Runtime.getRuntime().availableProcessors(),
                memory,
                Runtime.version(),
                threads,
                String.join(" ", JavaProcess.FLAGS),
                jar.isPresent() ? " (jar)" : " (class path)",
                String.join(" ", SpillwayContender.SETTINGS),
                rounds);
    }
}
