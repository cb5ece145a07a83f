package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.split.SplitDescription;
import io.spillway.split.SplitService.DescribedSplit;
import io.spillway.split.SplitService.Splits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits as clients see them.
 *
 * @param splits in the order of their rows
 * @param droppedRows how many rows of the job are in none of them
 * @param repeatedRows how many rows are in them once more than they need be
 */
record SplitsDocument(List<SplitDocument> splits, long droppedRows, long repeatedRows) {

    /** More files than that are counted only. */
    private static final int MOST_FILES = 100;

    static SplitsDocument of(Splits splits) {
        return new SplitsDocument(
                splits.splits().stream().map(SplitDocument::of).toList(),
                splits.droppedRows(),
                splits.repeatedRows());
    }

    /**
     * A number, and whether it is that or about that.
     *
     * @param value null if it is not known
     */
    record Quantity(@Nullable Long value, boolean exact) {}

    /** Rows {@code [from, to)} of a job. */
    record Range(long from, long to) {}

    /**
     * One split.
     *
     * @param token what it is read and divided by
     * @param href where its rows are
     * @param rows how many it has
     * @param repeats how many of them, the last ones, are rows that others have, too
     * @param bytes about how many bytes of input files it is made of
     * @param rowRange numbers of its rows in the job, without those that are repeated; null if they
     *     are not known
     * @param files the first input files that it is made of; null if these are not known
     * @param fileCount how many there are
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record SplitDocument(
            String token,
            String href,
            Quantity rows,
            long repeats,
            Quantity bytes,
            @Nullable Range rowRange,
            @Nullable List<String> files,
            @Nullable Integer fileCount) {

        static SplitDocument of(DescribedSplit split) {
            SplitDescription known = split.description();
            SplitDescription.RowRange range = known.range();
            List<String> files = known.files();
            return new SplitDocument(
                    split.token(),
                    path(split.token()) + "/rows",
                    new Quantity(known.rows(), known.rowsExact()),
                    known.repeats(),
                    new Quantity(known.bytes(), false),
                    range == null ? null : new Range(range.from(), range.to()),
                    files == null ? null : files.subList(0, Math.min(files.size(), MOST_FILES)),
                    files == null ? null : files.size());
        }
    }

    /**
     * Both parts of a split that was divided.
     *
     * @param primary its first rows
     * @param residual those that follow
     */
    record DividedDocument(SplitDocument primary, SplitDocument residual) {}

    private static String path(String token) {
        return "/v1/splits/" + token;
    }
}
