package io.spillway.oracle;

import io.spillway.testing.RowsClient;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Spillway gives what DuckDB gives, row by row, in order, with every digit. */
class OracleTest {

    private static @Nullable Workbench workbench;

    @BeforeContainer
    static void start() {
        workbench = new Workbench();
    }

    @AfterContainer
    static void stop() {
        if (workbench != null) {
            workbench.close();
        }
    }

    @Provide
    Arbitrary<Scenario> scenarios() {
        return Scenario.scenarios();
    }

    @Property(tries = 60)
    void resultsAreTheJudges(@ForAll("scenarios") Scenario scenario) {
        bench().with(scenario, OracleTest::compare);
    }

    @Property(tries = 3000)
    @Tag("long")
    void resultsAreTheJudgesOverManyCases(@ForAll("scenarios") Scenario scenario) {
        bench().with(scenario, OracleTest::compare);
    }

    private static void compare(RowsClient client, DuckDb duckdb, QueryCase query) {
        RowComparison.assertSame(client.ndjson(query.plan()), query.result(), duckdb.rows(query));
    }

    private static Workbench bench() {
        if (workbench == null) {
            throw new AssertionError("the service did not start");
        }
        return workbench;
    }
}
