package io.spillway.encode;

/**
 * Rows as JSON in groups that close early: {@link Caps}, whose sizes are bytes of the rows, each
 * with a comma. Where a group ends depends on its rows, and so on where it began: a format is one
 * reader's, who begins at the start of a group, and remembers how far the group has come that the
 * reader is in.
 *
 * @param rows how each row is written; its layout does not matter
 * @param text what stands around a group
 * @param progress of the reader, who alone writes rows in this format
 */
public record CappedFormat(JsonFormat rows, GroupText text, CapProgress progress)
        implements RowFormat {}
