package io.spillway.benchmark;

import io.spillway.testing.ChunkedResponse;
import io.spillway.tpch.TpchData;
import io.spillway.tpch.TpchQuery;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures TPC-H's queries at scale factor 1, and a sort of taxi trips that does not fit in memory,
 * against DuckDB: over the same files, with the same memory and as many threads, in turns, and
 * prints a Markdown table of medians. Spillway is asked over HTTP, and its time is from the plan to
 * the last row; a result is computed anew each time. Both sides keep the sorted rows, as a job's
 * result and as a table, and give none of them.
 *
 * <p>Settings, as system properties: {@code benchmark.rounds} (5, after two that do not count),
 * {@code benchmark.threads} (2), {@code benchmark.memory} (1024, in MiB, for the queries), {@code
 * benchmark.rows} (20,000,000, of the sort) and {@code benchmark.folder}.
 */
public final class TpchBenchmark {

    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int WARM_UP = 2;
    private static final int SORT_MEBIBYTES = 256;

    private static final String SORTED =
            "SELECT tpep_pickup_datetime, \"PULocationID\", trip_distance, total_amount FROM trips"
                    + " ORDER BY total_amount, trip_distance DESC";

    private final PrintStream out;
    private final int rounds;
    private final int threads;

    private TpchBenchmark(PrintStream out, int rounds, int threads) {
        this.out = out;
        this.rounds = rounds;
        this.threads = threads;
    }

    /** Runs everything from the project's top folder. */
    public static void main(String[] args) throws IOException, SQLException {
        TpchBenchmark benchmark =
                new TpchBenchmark(
                        System.out,
                        Integer.getInteger("benchmark.rounds", 5),
                        Integer.getInteger("benchmark.threads", 2));
        benchmark.queries(TpchData.make(1), Integer.getInteger("benchmark.memory", 1024));
        Path trips =
                Path.of(System.getProperty("benchmark.folder", "benchmark-data")).toAbsolutePath();
        TripsData.make(
                trips, Long.getLong("benchmark.rows", 20_000_000L), TripsData.Form.DICTIONARIES);
        benchmark.sort(trips.resolve("part-*.parquet").toString());
    }

    private void queries(Path data, int mebibytes) throws IOException {
        try (ServiceProcess service = service(TpchData.settings(data), mebibytes);
                CommandProcess duckDb = duckDb(TpchData.views(data), mebibytes)) {
            head("TPC-H, scale factor 1, %d MiB, %d threads".formatted(mebibytes, threads));
            double ours = 0;
            double theirs = 0;
            for (TpchQuery query : TpchQuery.all()) {
                double[] millis =
                        line(
                                query.toString(),
                                () -> read(service, query.plan()),
                                () -> ask(duckDb, query.sql()));
                ours += millis[0];
                theirs += millis[1];
            }
            print("all", ours, theirs);
        }
    }

    private void sort(String trips) throws IOException {
        Map<String, String> settings =
                Map.of(
                        "spillway.datasets.trips.format",
                        "parquet",
                        "spillway.datasets.trips.paths[0]",
                        trips);
        String view = "CREATE VIEW trips AS SELECT * FROM read_parquet('%s')".formatted(trips);
        String plan = MAPPER.writeValueAsString(Map.of("from", Map.of("sql", SORTED)));
        try (ServiceProcess service = service(settings, SORT_MEBIBYTES);
                CommandProcess duckDb = duckDb(List.of(view), SORT_MEBIBYTES)) {
            head("sort, %d MiB, %d threads".formatted(SORT_MEBIBYTES, threads));
            var _ =
                    line(
                            "4 columns of trips by 2",
                            () -> compute(service, plan),
                            () -> ask(duckDb, "CREATE OR REPLACE TEMP TABLE sorted AS " + SORTED));
        }
    }

    private ServiceProcess service(Map<String, String> tables, int mebibytes) throws IOException {
        List<String> settings = new ArrayList<>();
        tables.forEach((name, value) -> settings.add("--" + name + "=" + value));
        settings.add("--spillway.memory.budget=" + mebibytes + "MB");
        settings.add("--spillway.memory.per-job=" + mebibytes + "MB");
        settings.add("--spillway.scheduler.threads=" + threads);
        return new ServiceProcess(ServiceProcess.packaged(), List.of(), settings);
    }

    private CommandProcess duckDb(List<String> views, int mebibytes) throws IOException {
        CommandProcess duckDb =
                new CommandProcess(
                        DuckDbQueries.class, List.of(Integer.toString(threads), mebibytes + "MiB"));
        for (String view : views) {
            ask(duckDb, view);
        }
        return duckDb;
    }

    /** A query's rows, read to the end. */
    private static Contest.Sample read(ServiceProcess service, String plan) throws IOException {
        long start = System.nanoTime();
        String job = service.submit(plan);
        service.awaitCount(job);
        try (ChunkedResponse rows = service.ok(job + "/rows", NDJSON)) {
            rows.drain();
            return gone(service, job, rows.bytes(), start);
        }
    }

    /** A result that is computed and kept. */
    private static Contest.Sample compute(ServiceProcess service, String plan) throws IOException {
        long start = System.nanoTime();
        String job = service.submit(plan);
        service.awaitCount(job);
        return gone(service, job, 0, start);
    }

    /** The time until now; the job is let go. */
    private static Contest.Sample gone(ServiceProcess service, String job, long bytes, long start) {
        long nanos = System.nanoTime() - start;
        service.http().call("DELETE", job, Map.of(), null);
        return new Contest.Sample(0, bytes, nanos);
    }

    private static Contest.Sample ask(CommandProcess duckDb, String sql) throws IOException {
        String answer = duckDb.ask(sql.replace('\n', ' '));
        if (answer.startsWith("failed")) {
            throw new IOException(answer);
        }
        String[] numbers = answer.split(" ", -1);
        return new Contest.Sample(Long.parseLong(numbers[0]), 0, Long.parseLong(numbers[1]));
    }

    private void head(String what) {
        out.println("| " + what + " | Spillway, ms | DuckDB, ms | times |");
        out.println("|---|---:|---:|---:|");
    }

    /** Measures both sides, and prints their medians; these, in milliseconds. */
    private double[] line(String label, Contest.Side spillway, Contest.Side duckDb)
            throws IOException {
        List<List<Contest.Sample>> samples = Contest.run(WARM_UP, rounds, spillway, duckDb);
        double ours = Contest.median(samples.getFirst(), Contest.Sample::millis);
        double theirs = Contest.median(samples.getLast(), Contest.Sample::millis);
        print(label, ours, theirs);
        return new double[] {ours, theirs};
    }

    private void print(String label, double ours, double theirs) {
        out.printf(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | %.1f× |%n",
                label,
                ours,
                theirs,
                ours / theirs);
    }
}
