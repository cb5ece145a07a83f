package io.spillway.job;

import io.spillway.encode.RowFormat;
import io.spillway.rows.RowView;
import io.spillway.rows.SharedRows.Company;
import org.jspecify.annotations.Nullable;

/**
 * What a reader reads, and how.
 *
 * @param view which rows; all others count positions in it
 * @param from first position
 * @param to position after the last; {@code Long.MAX_VALUE} for all there are
 * @param format how rows are written
 * @param page whether the rows are collected into one answer, and it matters afterwards whether a
 *     row follows them; else they are a stream that a client can resume
 * @param company how the reader uses what others read; null if it reads by itself
 */
public record Reading(
        RowView view,
        long from,
        long to,
        RowFormat format,
        boolean page,
        @Nullable Company company) {

    /** A stream of rows {@code [from, to)} of the job. */
    public static Reading rows(long from, long to, RowFormat format) {
        return of(new RowView.All(), from, to, format);
    }

    /** A stream of what a view has at positions {@code [from, to)}. */
    public static Reading of(RowView view, long from, long to, RowFormat format) {
        return new Reading(view, from, to, format, false, null);
    }

    /** A page of rows {@code [from, to)} of the job. */
    public static Reading page(long from, long to, RowFormat format) {
        return new Reading(new RowView.All(), from, to, format, true, null);
    }

    /** The same by a reader that uses what others read, and leaves them what it has read. */
    public Reading in(Company among) {
        return new Reading(view, from, to, format, page, among);
    }
}
