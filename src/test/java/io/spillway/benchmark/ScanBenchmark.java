package io.spillway.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures the engine alone against DuckDB, each in a process of its own with as many threads, in
 * one run over the same files, and prints a Markdown table: rows as Arrow vectors against DuckDB's
 * Arrow export, and rows as NDJSON that goes nowhere against its {@code COPY … (FORMAT json)} to
 * the null device. They take turns, for some rounds after three that do not count, in which our
 * code is compiled; what is printed are medians.
 *
 * <p>Settings, as system properties: as {@link ServiceBenchmark}.
 */
public final class ScanBenchmark {

    private static final long DOCS_ROWS = 1_000_000;
    private static final int WARM_UP = 3;

    /** What is measured over one set of files. */
    private record Task(String label, String spillway, String duckDb) {

        static Task arrow(String label, String columns) {
            return new Task(label + " to Arrow", "arrow " + columns, "arrow " + columns);
        }

        static Task ndjson(String label) {
            return new Task(label + " to NDJSON", "ndjson", "stream");
        }
    }

    private final PrintStream out;
    private final int rounds;
    private final int threads;

    private ScanBenchmark(PrintStream out, int rounds, int threads) {
        this.out = out;
        this.rounds = rounds;
        this.threads = threads;
    }

    /** Runs everything from the project's top folder. */
    public static void main(String[] args) throws IOException, SQLException {
        ScanBenchmark benchmark =
                new ScanBenchmark(
                        System.out,
                        Integer.getInteger("benchmark.rounds", 5),
                        Integer.getInteger(
                                "benchmark.threads", Runtime.getRuntime().availableProcessors()));
        long rows = Long.getLong("benchmark.rows", 20_000_000L);
        Path trips =
                Path.of(System.getProperty("benchmark.folder", "benchmark-data")).toAbsolutePath();
        Path plain = trips.resolveSibling(trips.getFileName() + "-plain");
        Path docs = trips.resolveSibling(trips.getFileName() + "-docs");
        TripsData.make(trips, rows, TripsData.Form.DICTIONARIES);
        TripsData.make(plain, rows / 4, TripsData.Form.PLAIN);
        DocsData.make(docs, DOCS_ROWS);
        benchmark.out.println("| | Spillway, rows/s | DuckDB, rows/s | ratio |");
        benchmark.out.println("|---|---:|---:|---:|");
        benchmark.run(
                trips,
                List.of(
                        Task.arrow("trips, 19 columns", "*"),
                        Task.arrow("trips, 3 columns", "PULocationID,trip_distance,total_amount"),
                        Task.ndjson("trips, 19 columns")));
        benchmark.run(
                plain,
                List.of(
                        Task.arrow("trips without dictionaries", "*"),
                        Task.ndjson("trips without dictionaries")));
        benchmark.run(docs, List.of(Task.arrow("docs", "*"), Task.ndjson("docs")));
    }

    private void run(Path folder, List<Task> tasks) throws IOException {
        List<String> args =
                List.of(Integer.toString(threads), folder.resolve("part-*.parquet").toString());
        try (CommandProcess spillway = new CommandProcess(EngineServer.class, args);
                CommandProcess duckDb = new CommandProcess(DuckDbServer.class, args)) {
            for (Task task : tasks) {
                List<Double> ours = new ArrayList<>();
                List<Double> theirs = new ArrayList<>();
                for (int round = -WARM_UP; round < rounds; round++) {
                    double our = rowsPerSecond(spillway.ask(task.spillway()));
                    double their = rowsPerSecond(duckDb.ask(task.duckDb()));
                    if (round >= 0) {
                        ours.add(our);
                        theirs.add(their);
                    }
                }
                double our = Contest.median(ours, d -> d);
                double their = Contest.median(theirs, d -> d);
                out.printf(
                        Locale.ROOT,
                        "| %s | %,.0f | %,.0f | %.1f× |%n",
                        task.label(),
                        our,
                        their,
                        our / their);
            }
        }
    }

    private static double rowsPerSecond(String answer) {
        String[] numbers = answer.split(" ", -1);
        return Long.parseLong(numbers[0]) * 1e9 / Long.parseLong(numbers[2]);
    }
}
