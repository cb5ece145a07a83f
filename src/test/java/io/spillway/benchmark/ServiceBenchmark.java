package io.spillway.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Measures Spillway over HTTP, beside DuckDB and beside a bare Reactor Netty server, in one run
 * over the same files, each in a process of its own with the same heap and as many threads, and
 * prints Markdown: what was measured, what it must be, what it should be. Sides take turns for some
 * rounds after some that do not count; what is printed are medians. The client shares the machine
 * with the service.
 *
 * <p>Settings, as system properties: {@code benchmark.rows} (20000000) of the generated data set,
 * {@code benchmark.folder} (benchmark-data) where it is kept, {@code benchmark.rounds} (5), {@code
 * benchmark.threads} (all cores), {@code benchmark.only} (all) the figures, by their names with
 * commas between, {@code benchmark.classes} (false) to measure this class path rather than the jar.
 */
public final class ServiceBenchmark {

    private static final int STALLED = 5_000;
    private static final int LIVE = 100;
    private static final int OPEN = 10_000;
    private static final long LOAD_MILLIS = 20_000;

    /** Settings that the service is measured with; readers are to stall as long as others take. */
    private static final List<String> SETTINGS =
            List.of(
                    "--spillway.memory.budget=256MB",
                    "--spillway.memory.per-job=256MB",
                    "--spillway.limits.stall=1h");

    private static final String ALL = "{\"from\": {\"dataset\": \"measured\"}}";

    private final PrintStream out = System.out;
    private final Map<String, Figure> figures = new LinkedHashMap<>();
    private final Set<String> chosen;
    private final Path folder;
    private final long rows;
    private final int rounds;
    private final int threads;

    /** One or more lines of the table. */
    private interface Figure {
        List<Line> measure() throws IOException;
    }

    private ServiceBenchmark(Path folder, long rows, int rounds, int threads, String only) {
        this.folder = folder;
        this.rows = rows;
        this.rounds = rounds;
        this.threads = threads;
        chosen = new TreeSet<>(only.isEmpty() ? List.of() : Arrays.asList(only.split(",", -1)));
    }

    /** Runs from the project's top folder. */
    public static void main(String[] args) throws IOException, SQLException {
        new ServiceBenchmark(
                        Path.of(System.getProperty("benchmark.folder", "benchmark-data"))
                                .toAbsolutePath(),
                        Long.getLong("benchmark.rows", 20_000_000L),
                        Integer.getInteger("benchmark.rounds", 5),
                        Integer.getInteger(
                                "benchmark.threads", Runtime.getRuntime().availableProcessors()),
                        System.getProperty("benchmark.only", ""))
                .run();
    }

    private void run() throws IOException, SQLException {
        List<Path> files = TripsData.make(folder, rows, TripsData.Form.DICTIONARIES);
        Path cold = copies(files);
        out.printf(Locale.ROOT, "%,d rows, %d files%n%n%s", rows, files.size(), Line.HEAD);
        try (ServiceProcess service =
                        new ServiceProcess(ServiceProcess.packaged(), List.of(), settings(cold));
                CommandProcess duckDb =
                        new CommandProcess(
                                DuckDbServer.class,
                                List.of(Integer.toString(threads), glob(folder)))) {
            ServiceFigures all = new ServiceFigures(service, duckDb, cold, rows, rounds);
            figures.put("first", all::first);
            figures.put("cold", all::cold);
            figures.put("page", all::page);
            figures.put("deep", all::deep);
            figures.put("filtered", all::filtered);
            figures.put("count", all::count);
            figures.put("ndjson", all::ndjson);
            figures.put("text", all::text);
            figures.put("arrow", all::arrow);
            figures.put("csv", all::csv);
            figures.put("events", all::events);
            BatchFigures batches = new BatchFigures(service, service.submit(ALL), rows, rounds);
            figures.put("batches", batches::batches);
            figures.put("any", batches::any);
            figures.put("shards", batches::shards);
            figures.put("memory", () -> memory(service, duckDb));
            figures.put("load", () -> load(service));
            figures.put("open", () -> open(cold));
            if (!figures.keySet().containsAll(chosen)) {
                throw new IllegalArgumentException("The figures are " + figures.keySet());
            }
            for (Map.Entry<String, Figure> figure : figures.entrySet()) {
                if (chosen.isEmpty() || chosen.contains(figure.getKey())) {
                    figure.getValue().measure().forEach(l -> out.println(l.markdown()));
                }
            }
        }
        conditions();
    }

    private static List<Line> memory(ServiceProcess service, CommandProcess duckDb)
            throws IOException {
        double ours = ProcessMemory.peakBytes(service.pid()) / 1048576.0;
        double theirs = ProcessMemory.peakBytes(duckDb.pid()) / 1048576.0;
        return List.of(
                Line.told(
                        "most memory of the process until here",
                        ours,
                        "MiB",
                        "DuckDB: " + Target.number(theirs) + " MiB"));
    }

    private static List<Line> load(ServiceProcess service) throws IOException {
        SseLoad.Result result =
                new SseLoad(service, service.submit(ALL)).run(STALLED, LIVE, LOAD_MILLIS);
        String label =
                String.format(
                        Locale.ROOT,
                        "%,d stalled readers of events beside %d live ones: ",
                        STALLED,
                        LIVE);
        return List.of(
                Line.of(label + "dropped", result.dropped(), "", "", Target.atMost(0)),
                Line.of(
                        label + "most memory of the process",
                        result.residentBytes() / 1048576.0,
                        "MiB",
                        "",
                        Target.atMost(700)),
                Line.of(
                        label + "a fast one",
                        result.liveMegabytesPerSecond(),
                        "MB/s",
                        "the others "
                                + Target.number(result.pacedMegabytesPerSecond())
                                + " MB/s together",
                        Target.atLeast(50)),
                Line.of(
                        label + "99 % of other calls within",
                        result.controlMillis(),
                        "ms",
                        "",
                        Target.atMost(1_000)),
                Line.of(
                        label + "all given back after they left",
                        result.backMillis(),
                        "ms",
                        "",
                        Target.atMost(5_000)));
    }

    private List<Line> open(Path cold) throws IOException {
        try (ServiceProcess service =
                new ServiceProcess(ServiceProcess.packaged(), OpenReaders.FLAGS, settings(cold))) {
            double each = OpenReaders.bytesEach(service, service.submit(ALL), OPEN);
            return List.of(
                    Line.of(
                            String.format(Locale.ROOT, "%,d open readers: each", OPEN),
                            each / 1024,
                            "KiB",
                            "",
                            Target.atMost(20)));
        }
    }

    private List<String> settings(Path cold) {
        List<String> settings = new ArrayList<>(SETTINGS);
        settings.add("--spillway.scheduler.threads=" + threads);
        settings.add("--spillway.datasets.measured.paths[0]=" + glob(folder));
        settings.add("--spillway.datasets.cold.paths[0]=" + glob(cold));
        return settings;
    }

    private static String glob(Path of) {
        return of.resolve("part-*.parquet").toString();
    }

    /** Files that may be touched, since the others' readers would notice. */
    private Path copies(List<Path> files) throws IOException {
        Path copies = folder.resolveSibling(folder.getFileName() + "-cold");
        Files.createDirectories(copies);
        for (Path file : files) {
            Path copy = copies.resolve(file.getFileName());
            if (!Files.exists(copy) || Files.size(copy) != Files.size(file)) {
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return copies;
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
                "%n%d cores, %d GiB of memory, JDK %s, %d threads each. All JVMs: `%s`."
                        + " Spillway%s: `%s`. Medians of %d rounds for streams, of more for short"
                        + " calls.%n",
                Runtime.getRuntime().availableProcessors(),
                memory,
                Runtime.version(),
                threads,
                String.join(" ", JavaProcess.FLAGS),
                ServiceProcess.packaged().contains("-jar") ? " (jar)" : " (class path)",
                String.join(" ", SETTINGS),
                rounds);
    }
}
