package io.spillway.plan.document;

import org.jspecify.annotations.Nullable;

/**
 * How a job is to be split.
 *
 * @param size into how many parts
 * @param equal how the parts are made equally long; null if they need not be
 * @param alignTo rows of which each part has a multiple, but for the last one that has any; null if
 *     that is no matter
 */
public record SplitsRequest(Size size, @Nullable Equal equal, @Nullable Long alignTo) {

    /** More would be more text than anybody wants to get at once. */
    public static final int MOST_SPLITS = 100_000;

    /** How many parts. */
    public sealed interface Size {}

    /** So many, some of which may have no rows. */
    public record Count(int count) implements Size {}

    /** As many as it takes for a part to have about so many rows. */
    public record TargetRows(long rows) implements Size {}

    /** As many as it takes for a part to be made of about so many bytes of input. */
    public record TargetBytes(long bytes) implements Size {}

    /** What becomes of the rows that do not divide. */
    public enum Equal {
        /** Some parts have one more. */
        EXACT,
        /** No part has them. */
        DROP,
        /** Parts that would be shorter get rows that others have, too. */
        PAD
    }
}
