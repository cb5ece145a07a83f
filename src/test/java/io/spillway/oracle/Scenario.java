package io.spillway.oracle;

import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitrary;

/** A table and a plan over it. */
record Scenario(Table table, List<QueryStep> steps) {

    private static final int CHOICES = 160;
    private static final int MORE_CHOICES = 400;

    /** Plans of what each row, or its number, decides. */
    static Arbitrary<Scenario> scenarios() {
        return Choices.sequences(CHOICES).map(c -> make(c, Plans.Menu.ROW_STEPS));
    }

    /** Plans of all steps. */
    static Arbitrary<Scenario> wideScenarios() {
        return Choices.sequences(MORE_CHOICES).map(c -> make(c, Plans.Menu.ALL_STEPS));
    }

    static Scenario make(Choices choices, Plans.Menu menu) {
        Table table = Table.make(choices);
        long rows = table.fileRows().stream().mapToLong(Integer::longValue).sum();
        return new Scenario(table, Plans.make(choices, menu, table.schema(), rows));
    }

    /** The plan over the table's files. */
    QueryCase over(List<Path> files) {
        return new QueryCase(null, files, table.schema(), steps);
    }
}
