package io.spillway.oracle;

import io.spillway.testing.RowsClient;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A running service, and a folder that it reads with DuckDB. */
final class Workbench implements AutoCloseable {

    private final Path folder;
    private final SpillwayServer server;

    /** What is done with a scenario once its files are there. */
    interface Experiment {
        void run(RowsClient client, DuckDb duckdb, QueryCase query);
    }

    Workbench() {
        try {
            folder = Files.createTempDirectory("spillway-oracle").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server = SpillwayServer.builder().root(folder).start();
    }

    /** Writes the scenario's table, runs the experiment, removes the files. */
    void with(Scenario scenario, Experiment experiment) {
        try {
            Path own = Files.createTempDirectory(folder, "table");
            // One of its own: a shrinker that ran out of time may still be at work beside this.
            try (DuckDb duckdb = new DuckDb()) {
                QueryCase query = scenario.over(scenario.table().write(duckdb, own));
                experiment.run(server, duckdb, query);
            } finally {
                deleteAll(own);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path p : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        }
    }

    @Override
    public void close() {
        server.close();
        try {
            deleteAll(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
