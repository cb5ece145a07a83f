package io.spillway.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apache.commons.io.file.PathUtils;

/** A folder in which the tables of scenarios are, each while it is looked at. */
final class ScenarioFiles implements AutoCloseable {

    private final Path folder;

    ScenarioFiles() {
        try {
            folder = Files.createTempDirectory("spillway-oracle").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path folder() {
        return folder;
    }

    /**
     * Writes the scenario's table, runs the experiment, removes the files.
     *
     * @throws AssertionError with the plan and the SQL, if the experiment fails
     */
    void with(Scenario scenario, BiConsumer<DuckDb, QueryCase> experiment) {
        try {
            Path own = Files.createTempDirectory(folder, "table");
            // One of its own: a shrinker that ran out of time may still be at work beside this.
            try (DuckDb duckdb = new DuckDb()) {
                QueryCase query = scenario.over(scenario.table().write(duckdb, own));
                run(experiment, duckdb, query);
            } finally {
                PathUtils.deleteDirectory(own);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(
            BiConsumer<DuckDb, QueryCase> experiment, DuckDb duckdb, QueryCase query) {
        try {
            experiment.accept(duckdb, query);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "%s%nplan: %s%nSQL: %s".formatted(e.getMessage(), query.plan(), query.duckdb()),
                    e);
        }
    }

    @Override
    public void close() {
        try {
            PathUtils.deleteDirectory(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
