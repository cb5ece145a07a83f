package io.spillway.benchmark;

import io.spillway.benchmark.Contest.Sample;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.HttpAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of the service over HTTP, each against what it is held to: DuckDB over the same files
 * in a process of its own, or a server that does nothing but send.
 */
final class ServiceFigures {

    /** Rows that about a tenth of the trips are. */
    private static final String TENTH = "trip_distance > 6.3";

    private static final double DEEP = 16_234_567 / 20_000_000.0;
    private static final int SHORT_WARM_UP = 60;
    private static final int SHORT_ROUNDS = 51;

    /** Calls after which a JVM has compiled what a call runs. */
    private static final int LONG_WARM_UP = 2_000;

    /** The same for a call that reads all files. */
    private static final int WHOLE_WARM_UP = 100;

    private static final int SAMPLE_BYTES = 8 << 20;

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final String ARROW = "application/vnd.apache.arrow.stream";
    private static final String CSV = "text/csv";
    private static final String EVENTS = "text/event-stream";
    private static final String ALL = "{\"from\": {\"dataset\": \"measured\"}}";

    private final ServiceProcess service;
    private final CommandProcess duckDb;
    private final Path cold;
    private final long rows;
    private final int rounds;
    private final String all;

    /**
     * @param service with the data sets {@code measured} and, over copies of its files, {@code
     *     cold}
     * @param cold the folder of the copies
     * @param rows of the data set
     * @param rounds of streams; short calls have more
     */
    ServiceFigures(ServiceProcess service, CommandProcess duckDb, Path cold, long rows, int rounds)
            throws IOException {
        this.service = service;
        this.duckDb = duckDb;
        this.cold = cold;
        this.rows = rows;
        this.rounds = rounds;
        all = service.submit(ALL) + "/rows";
    }

    /** NDJSON, beside what the transport alone moves. */
    List<Line> ndjson() throws IOException {
        Path sample = sample();
        try (CommandProcess bare =
                new CommandProcess(BareServer.class, List.of(sample.toString()))) {
            int port = Integer.parseInt(bare.name());
            long bytes = Math.round((double) rows * SAMPLE_BYTES / lines(sample));
            List<List<Sample>> samples =
                    Contest.run(
                            1,
                            rounds,
                            () -> stream(NDJSON),
                            () -> drain(ChunkedResponse.ok(port, "/" + bytes, "*/*"), 0));
            double ours = Contest.median(samples.get(0), Sample::megabytesPerSecond);
            double theirs = Contest.median(samples.get(1), Sample::megabytesPerSecond);
            return List.of(
                    Line.of(
                            "all rows in order as NDJSON",
                            Contest.median(samples.get(0), Sample::rowsPerSecond),
                            "rows/s",
                            "",
                            Target.atLeast(2_400_000, 4_200_000.0)),
                    Line.of(
                            "the same, share of what a bare Reactor Netty server moves",
                            ours / theirs,
                            "×",
                            of(ours, theirs, "MB/s"),
                            Target.atLeast(0.4, 0.6)));
        } finally {
            Files.delete(sample);
        }
    }

    /** NDJSON, beside DuckDB's text. */
    List<Line> text() throws IOException {
        List<List<Sample>> samples =
                Contest.run(1, rounds, () -> stream(NDJSON), () -> duckDb("stream"));
        double ours = Contest.median(samples.get(0), Sample::rowsPerSecond);
        double theirs = Contest.median(samples.get(1), Sample::rowsPerSecond);
        return List.of(
                Line.told(
                        "the same against DuckDB's COPY … TO '/dev/null' (FORMAT json)",
                        ours / theirs,
                        "×",
                        of(ours, theirs, "rows/s")));
    }

    List<Line> arrow() throws IOException {
        return format("all rows as an Arrow stream", ARROW, Target.atLeast(6e6, 10e6));
    }

    List<Line> csv() throws IOException {
        return format("all rows as CSV", CSV, null);
    }

    List<Line> events() throws IOException {
        return format("all rows as server-sent events", EVENTS, null);
    }

    private List<Line> format(String label, String accept, @Nullable Target target)
            throws IOException {
        List<Sample> samples = Contest.run(1, rounds, () -> stream(accept)).getFirst();
        return List.of(
                new Line(
                        label,
                        Contest.median(samples, Sample::rowsPerSecond),
                        "rows/s",
                        Target.number(Contest.median(samples, Sample::megabytesPerSecond))
                                + " MB/s",
                        target));
    }

    /**
     * The first byte of a stream of a job that is there: of a service that has been at work, and of
     * one that has just started.
     */
    List<Line> first() throws IOException {
        List<Sample> early = firstBytes(SHORT_WARM_UP);
        List<Sample> late = firstBytes(LONG_WARM_UP);
        return List.of(
                Line.of(
                        String.format(
                                Locale.ROOT,
                                "first byte, footers cached, after %,d calls",
                                LONG_WARM_UP),
                        Contest.median(late, Sample::millis),
                        "ms",
                        "",
                        Target.atMost(10, 3.0)),
                Line.told(
                        "the same after the first " + SHORT_WARM_UP + ", while the JVM compiles",
                        Contest.median(early, Sample::millis),
                        "ms",
                        ""));
    }

    private List<Sample> firstBytes(int warmUp) throws IOException {
        return Contest.run(warmUp, SHORT_ROUNDS, () -> firstByte(all, System.nanoTime()))
                .getFirst();
    }

    /** The first byte of a new job over files that the service has not seen. */
    List<Line> cold() throws IOException {
        List<Sample> samples = Contest.run(10, 21, this::coldFirstByte).getFirst();
        return List.of(
                Line.of(
                        "first byte of a new job over 8 files, footers not cached",
                        Contest.median(samples, Sample::millis),
                        "ms",
                        "",
                        Target.atMost(100, 30.0)));
    }

    private Sample coldFirstByte() throws IOException {
        try (Stream<Path> files = Files.list(cold)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(
                        file,
                        FileTime.fromMillis(Files.getLastModifiedTime(file).toMillis() + 1_000));
            }
        }
        long start = System.nanoTime();
        String job = service.submit("{\"from\": {\"dataset\": \"cold\"}}");
        return firstByte(job + "/rows", start);
    }

    private Sample firstByte(String target, long start) throws IOException {
        try (ChunkedResponse response = service.ok(target, NDJSON)) {
            response.read();
            return new Sample(0, 0, System.nanoTime() - start);
        }
    }

    /** A hundred rows in the depth, beside DuckDB, and beside a hundred rows at the start. */
    List<Line> page() throws IOException {
        long offset = Math.round(rows * DEEP);
        List<List<Sample>> samples =
                Contest.run(
                        SHORT_WARM_UP,
                        SHORT_ROUNDS,
                        () -> page(all, offset),
                        () -> duckDb("page LIMIT 100 OFFSET " + offset));
        return List.of(
                against(
                        String.format(
                                Locale.ROOT,
                                "100 rows at offset %,d, against DuckDB's LIMIT/OFFSET",
                                offset),
                        samples,
                        Target.atMost(0.6, 0.3)));
    }

    /** The same behind a filter, once the job is counted. */
    List<Line> filtered() throws IOException {
        String job = service.submit(filter());
        long total = count(job);
        long offset = Math.round(total * DEEP);
        List<List<Sample>> samples =
                Contest.run(
                        SHORT_WARM_UP / 3,
                        SHORT_ROUNDS / 3,
                        () -> page(job + "/rows", offset),
                        () -> duckDb("page WHERE %s LIMIT 100 OFFSET %d".formatted(TENTH, offset)));
        return List.of(
                against(
                        String.format(
                                Locale.ROOT,
                                "100 rows at %,d of %,d behind a filter, counted, against DuckDB's",
                                offset,
                                total),
                        samples,
                        Target.atMost(0.1, 0.02)));
    }

    List<Line> deep() throws IOException {
        long offset = Math.round(rows * 0.999);
        List<List<Sample>> samples =
                Contest.run(
                        SHORT_WARM_UP, SHORT_ROUNDS, () -> page(all, offset), () -> page(all, 0));
        return List.of(
                against("100 rows at 99.9 % against 100 rows at 0", samples, Target.atMost(1.2)));
    }

    /** What it costs to count a job, beside DuckDB's count. */
    List<Line> count() throws IOException {
        List<List<Sample>> samples =
                Contest.run(
                        WHOLE_WARM_UP,
                        SHORT_ROUNDS / 3,
                        () -> {
                            String job = service.submit(filter());
                            long start = System.nanoTime();
                            count(job);
                            return new Sample(0, 0, System.nanoTime() - start);
                        },
                        () -> duckDb("count " + TENTH));
        return List.of(
                against(
                        "counting behind a filter, after "
                                + WHOLE_WARM_UP
                                + " counts of each, against DuckDB's count(*)",
                        samples,
                        Target.atMost(0.5, 0.3)));
    }

    private static String filter() {
        return ALL.substring(0, ALL.length() - 1)
                + ", \"steps\": [{\"op\": \"filter\", \"where\": \""
                + TENTH
                + "\"}]}";
    }

    private static Line against(String label, List<List<Sample>> samples, Target target) {
        double ours = Contest.median(samples.get(0), Sample::millis);
        double theirs = Contest.median(samples.get(1), Sample::millis);
        return Line.of(label, ours / theirs, "×", of(ours, theirs, "ms"), target);
    }

    private static String of(double ours, double theirs, String unit) {
        return Target.number(ours) + " and " + Target.number(theirs) + " " + unit;
    }

    private Sample stream(String accept) throws IOException {
        return drain(service.ok(all, accept), rows);
    }

    private static Sample drain(ChunkedResponse response, long rows) throws IOException {
        long start = System.nanoTime();
        try (response) {
            response.drain();
            long nanos = System.nanoTime() - start;
            String count = response.field("Spillway-Row-Count");
            if (!count.isEmpty() && Long.parseLong(count) != rows) {
                throw new IOException(count + " rows came, not " + rows);
            }
            return new Sample(rows, response.bytes(), nanos);
        }
    }

    private Sample page(String target, long offset) throws IOException {
        long start = System.nanoTime();
        try (ChunkedResponse page = service.ok(target + "?limit=100&offset=" + offset, JSON)) {
            page.drain();
            return new Sample(100, page.bytes(), System.nanoTime() - start);
        }
    }

    /** Counts a job; gives the number of its rows. */
    private long count(String job) throws IOException {
        HttpAnswer answer = service.http().post(job + ":count", JSON, "{}");
        while (answer.status() == 202) {
            answer = service.http().post(job + ":count", JSON, "{}");
        }
        if (answer.status() != 200) {
            throw new IOException(answer.text());
        }
        return Long.parseLong(answer.text().replaceFirst("(?s).*\"rowCount\": ?(\\d+).*", "$1"));
    }

    private Sample duckDb(String command) throws IOException {
        String[] numbers = duckDb.ask(command).split(" ", -1);
        return new Sample(
                Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
    }

    /** The first megabytes of the rows as NDJSON. */
    private Path sample() throws IOException {
        Path file = Files.createTempFile("spillway-benchmark", ".ndjson");
        try (ChunkedResponse response = service.ok(all, NDJSON);
                var out = Files.newOutputStream(file)) {
            while (response.bytes() < SAMPLE_BYTES) {
                out.write(response.next());
            }
        }
        return file;
    }

    private static long lines(Path file) throws IOException {
        long lines = 0;
        for (byte b : Files.readAllBytes(file)) {
            lines += b == '\n' ? 1 : 0;
        }
        return lines;
    }
}
