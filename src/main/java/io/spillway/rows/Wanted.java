package io.spillway.rows;

import org.jspecify.annotations.Nullable;

/** Which rows one reader of {@link SharedRows} wants: ranges, one after the other. */
interface Wanted {

    /** Rows {@code [from, to)}, at least one. */
    record Range(long from, long to) {}

    /** The next range; null if there are no more. */
    @Nullable Range next();

    /**
     * Where a cursor that is opened at a row of a range may end: what is behind is not worth
     * reading ahead.
     */
    long cursorEnd(long row);

    /**
     * How many rows before a row a cursor may stand so that reading on is better than a new one.
     */
    long near();

    /** One range and nothing else. */
    final class Rows implements Wanted {

        private final long end;
        private final long near;
        private @Nullable Range range;

        /**
         * @param end where its cursors end
         */
        Rows(long from, long to, long end, long near) {
            this.range = from < to ? new Range(from, to) : null;
            this.end = end;
            this.near = near;
        }

        @Override
        public @Nullable Range next() {
            Range only = range;
            range = null;
            return only;
        }

        @Override
        public long cursorEnd(long row) {
            return end;
        }

        @Override
        public long near() {
            return near;
        }
    }
}
