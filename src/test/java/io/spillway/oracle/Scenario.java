package io.spillway.oracle;

import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitrary;

/** A table and a plan over it. */
record Scenario(Table table, List<QueryStep> steps) {

    private static final int CHOICES = 160;

    static Arbitrary<Scenario> scenarios() {
        return Choices.sequences(CHOICES).map(Scenario::make);
    }

    private static Scenario make(Choices choices) {
        Table table = Table.make(choices);
        return new Scenario(table, Plans.make(choices, table.schema()));
    }

    /** The plan over the table's files. */
    QueryCase over(List<Path> files) {
        return new QueryCase(null, files, table.schema(), steps);
    }
}
