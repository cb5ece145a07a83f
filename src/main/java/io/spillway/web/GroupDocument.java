package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.group.Group;
import io.spillway.group.GroupProgress;
import io.spillway.plan.document.BatchShape;
import org.jspecify.annotations.Nullable;

/** A consumer group as clients see it. */
record GroupDocument(
        String name,
        Batch batch,
        String leaseTime,
        long generation,
        boolean done,
        Progress progress,
        String createdAt,
        Links links) {

    /** How rows are cut. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Batch(long rows, @Nullable Long maxBytes, @Nullable Weight weight, boolean dropLast) {}

    record Weight(String column, long max) {}

    /** Row numbers and counts; {@code endRow} is null until it is known. */
    record Progress(
            long committedRow,
            long committedRows,
            long committedBatches,
            long leasedBatches,
            long freeBatches,
            long nextRow,
            @Nullable Long endRow) {}

    record Links(String self, String claim, String reset, String job) {}

    static GroupDocument of(GroupProgress progress) {
        Group group = progress.group();
        return new GroupDocument(
                group.name(),
                batch(group.batch()),
                group.leaseTime().toString(),
                group.generation(),
                group.isDone(),
                new Progress(
                        group.committedRow(),
                        progress.committedRows(),
                        progress.committedBatches(),
                        progress.leased(),
                        progress.free(),
                        group.nextRow(),
                        group.endRow()),
                group.createdAt().toString(),
                new Links(
                        path(group),
                        path(group) + ":claim",
                        path(group) + ":reset",
                        "/v1/jobs/" + group.job()));
    }

    private static Batch batch(BatchShape batch) {
        BatchShape.Weight weight = batch.weight();
        return new Batch(
                batch.rows(),
                batch.maxBytes(),
                weight == null ? null : new Weight(weight.column(), weight.max()),
                batch.dropLast());
    }

    static String path(Group group) {
        return "/v1/jobs/" + group.job() + "/groups/" + group.name();
    }
}
