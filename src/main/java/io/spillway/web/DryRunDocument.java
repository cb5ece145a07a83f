package io.spillway.web;

import io.spillway.plan.physical.CompiledPlan;
import io.spillway.rows.RowSource;
import io.spillway.rows.RowSources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a plan would give, without a job. */
record DryRunDocument(
        List<JobDocument.ColumnDocument> schema,
        PlanExplanation plan,
        SkippedDocument skipped,
        @Nullable Long rowCount,
        boolean rowCountKnown) {

    static DryRunDocument of(CompiledPlan compiled) {
        RowSource source = RowSources.of(compiled.plan());
        Long rowCount = source.rowCount().isPresent() ? source.rowCount().getAsLong() : null;
        return new DryRunDocument(
                JobDocument.ColumnDocument.of(compiled.plan().schema()),
                PlanExplanation.of(
                        compiled.logicalText(), compiled.optimizedText(), compiled.plan(), source),
                SkippedDocument.of(compiled.plan()),
                rowCount,
                rowCount != null);
    }
}
