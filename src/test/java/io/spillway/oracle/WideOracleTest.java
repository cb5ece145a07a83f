package io.spillway.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/**
 * Plans with steps that look at all rows give what DuckDB gives, row by row, in order; and the same
 * bytes whatever the threads and the memory. What fails is printed as plan and as SQL.
 */
class WideOracleTest {

    private static final ScenarioFiles FILES = new ScenarioFiles();

    private static @Nullable Engines engines;

    @BeforeContainer
    static void start() {
        engines = new Engines(FILES.folder(), Map.of());
    }

    @AfterContainer
    static void stop() {
        try (ScenarioFiles _ = FILES;
                Engines done = engines()) {
            assertThat(done.spilled()).as("plans that had to spill").isPositive();
        }
    }

    @Provide
    Arbitrary<Scenario> scenarios() {
        return Scenario.wideScenarios();
    }

    /** The same plans each time, so that a change is judged by them alone. */
    @Property(tries = 150, seed = "9198704710988787178")
    void resultsAreTheJudgesWhateverTheMemoryAndTheThreads(@ForAll("scenarios") Scenario scenario) {
        check(scenario);
    }

    @Property(tries = 10_000)
    @Tag("long")
    void resultsAreTheJudgesOverManyCases(@ForAll("scenarios") Scenario scenario) {
        check(scenario);
    }

    private static void check(Scenario scenario) {
        FILES.with(
                scenario,
                (duckdb, query) ->
                        RowComparison.assertSame(
                                engines().rows(query.plan()),
                                query.result(),
                                unsigned(duckdb.rows(query))));
    }

    private static List<List<Expected>> unsigned(List<List<Expected>> rows) {
        return rows.stream().map(row -> row.stream().map(Expected::unsigned).toList()).toList();
    }

    private static Engines engines() {
        if (engines == null) {
            throw new AssertionError("the engines did not start");
        }
        return engines;
    }
}
