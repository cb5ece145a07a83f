package io.spillway.web;

import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.SkippedFile;
import java.util.List;

/**
 * Files that were left out because they are corrupt.
 *
 * @param count how many
 * @param files the first of them; a job's plan has all
 */
record SkippedDocument(int count, List<SkippedFile> files) {

    private static final int MAX_FILES = 1_000;

    static SkippedDocument of(List<SkippedFile> skipped) {
        return new SkippedDocument(
                skipped.size(), skipped.subList(0, Math.min(MAX_FILES, skipped.size())));
    }

    static SkippedDocument of(PhysicalPlan plan) {
        return of(plan.scans().stream().flatMap(scan -> scan.skipped().stream()).toList());
    }
}
