package io.spillway.encode;

/**
 * Rows as JSON in groups of as many, with text around each group, such as an event of rows or a
 * line that is a batch. Where a group starts depends on the rows' positions alone, so a group may
 * span batches, chunks and encoders:
 *
 * <pre>
 *   open ROW,ROW,… close open ROW,ROW,… close …
 * </pre>
 *
 * The last group may be shorter; {@link BatchEncoders#tail} closes it.
 *
 * @param rows how each row is written; its layout does not matter
 * @param origin position of the first row of the first group
 * @param size rows of every group but the last, at least 1
 * @param text what stands around a group
 */
public record GroupFormat(JsonFormat rows, long origin, int size, GroupText text)
        implements RowFormat {

    public GroupFormat {
        if (size < 1) {
            throw new IllegalArgumentException("groups of " + size + " rows");
        }
    }

    /**
     * Number of rows that the group has which begins before a position; 0 if none is open there.
     */
    long inGroup(long position) {
        return (position - origin) % size;
    }
}
