package io.spillway.plan.document;

import org.jspecify.annotations.Nullable;

/**
 * How a job's rows are cut into batches.
 *
 * @param rows rows of a batch, which only caps and the end of the job make fewer
 * @param maxBytes bytes of a batch's rows, as JSON, at most; null if that is no matter
 * @param weight what the rows of a batch may weigh together; null if that is no matter
 * @param dropLast whether a last batch that the end of the job makes short is left out
 */
public record BatchShape(
        long rows, @Nullable Long maxBytes, @Nullable Weight weight, boolean dropLast) {

    /**
     * A cap on the sum of a column.
     *
     * @param column its name
     * @param max the largest sum
     */
    public record Weight(String column, long max) {}

    /** Whether where a batch ends depends on what its rows are. */
    public boolean isCapped() {
        return maxBytes != null || weight != null;
    }
}
