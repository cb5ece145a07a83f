package io.spillway.oracle;

import io.spillway.testing.RowsClient;
import io.spillway.testing.SpillwayServer;

/** A running service, and a folder that it reads with DuckDB. */
final class Workbench implements AutoCloseable {

    private final ScenarioFiles files = new ScenarioFiles();
    private final SpillwayServer server = SpillwayServer.builder().root(files.folder()).start();

    /** What is done with a scenario once its files are there. */
    interface Experiment {
        void run(RowsClient client, DuckDb duckdb, QueryCase query);
    }

    /** Writes the scenario's table, runs the experiment, removes the files. */
    void with(Scenario scenario, Experiment experiment) {
        files.with(scenario, (duckdb, query) -> experiment.run(server, duckdb, query));
    }

    @Override
    public void close() {
        server.close();
        files.close();
    }
}
