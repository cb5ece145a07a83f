package io.spillway.job;

import io.spillway.cursor.Split;
import io.spillway.rows.RowSource;
import io.spillway.rows.RowSources;
import io.spillway.rows.RowView;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a reader of a job reads: all of them, or those of a split, numbered from 0 on.
 * Thread-safe.
 */
final class PartRows {

    /** All rows that what is known of these rows is known of: the job's, or those of some input. */
    private final RowSource base;

    private final CountBuild count;

    /** For a row of the view, the row of the base that has to be reached before it can be read. */
    private final LongUnaryOperator needed;

    private final Supplier<RowSource> made;
    private volatile @Nullable RowSource source;

    /**
     * @param count of the base
     * @param made the view's rows; asked when the base is counted as far as is needed
     */
    private PartRows(
            RowSource base, CountBuild count, LongUnaryOperator needed, Supplier<RowSource> made) {
        this.base = base;
        this.count = count;
        this.needed = needed;
        this.made = made;
    }

    /** All rows of a source. */
    static PartRows all(RowSource source, CountBuild count) {
        return new PartRows(source, count, LongUnaryOperator.identity(), () -> source).made();
    }

    /**
     * The rows of a split whose place does not depend on rows that it does not have.
     *
     * @param input what comes of the split's part of the input
     * @param count of that alone
     */
    static PartRows input(Split split, RowSource input, CountBuild count) {
        return new PartRows(
                        input,
                        count,
                        row -> RowView.plus(split.offset(), row),
                        () -> split.isWhole() ? input : input.slice(split.offset(), split.limit()))
                .made();
    }

    /** Rows of a job by their numbers. */
    static PartRows rows(Split split, Split.Rows range, RowSource job, CountBuild count) {
        if (range.repeats() > 0) {
            return new PartRows(
                            job,
                            count,
                            row -> Long.MAX_VALUE,
                            () -> rows(range, job).slice(split.offset(), split.limit()))
                    .made();
        }
        long from = Math.min(RowView.plus(range.from(), split.offset()), range.to());
        long rows = Math.min(range.to() - from, split.limit());
        return new PartRows(
                        job,
                        count,
                        row -> RowView.plus(from, Math.min(row, rows)),
                        () -> job.slice(from, rows))
                .made();
    }

    /** A part of all rows, which have to be counted first. */
    static PartRows share(Split split, Split.Share range, RowSource job, CountBuild count) {
        return new PartRows(
                job,
                count,
                row -> Long.MAX_VALUE,
                () ->
                        rows(range.of(job.rowCount().orElseThrow()), job)
                                .slice(split.offset(), split.limit()));
    }

    /** The rows of a range, and then those that others have, too, over and over. */
    private static RowSource rows(Split.Rows range, RowSource job) {
        RowSource own = job.slice(range.from(), range.to() - range.from());
        if (range.repeats() == 0) {
            return own;
        }
        List<RowSource> slices = new ArrayList<>();
        slices.add(own);
        long left = range.repeats();
        long from = range.repeatFrom();
        while (left > 0) {
            long rows = Math.min(left, range.total() - from);
            slices.add(job.slice(from, rows));
            left -= rows;
            from = 0;
        }
        return RowSources.union(slices, job.schema());
    }

    /** Need not wait for the count to tell what it consists of. */
    private PartRows made() {
        source();
        return this;
    }

    /** The rows; only if the place of any of them is {@linkplain #reach known}. */
    RowSource source() {
        RowSource known = source;
        if (known == null) {
            known = made.get();
            source = known;
        }
        return known;
    }

    CountBuild count() {
        return count;
    }

    /** Whether a stream from a row on can be opened now. */
    boolean reaches(long row) {
        return base.reaches(needed.applyAsLong(row));
    }

    /** As {@link CountBuild#reach}. */
    CompletableFuture<Void> reach(long row) {
        return count.reach(needed.applyAsLong(row));
    }

    /** As {@link CountBuild#keepBuilding}. */
    void keepBuilding(long upTo) {
        count.keepBuilding(needed.applyAsLong(upTo));
    }

    /** The number of rows, if it is known by now. */
    @Nullable Long rowCount() {
        RowSource known = source;
        OptionalLong rows = known == null ? OptionalLong.empty() : known.rowCount();
        return rows.isPresent() ? rows.getAsLong() : null;
    }
}
