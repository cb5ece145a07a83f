package io.spillway.rows;

/**
 * All rows in batches of exactly so many, as they are ready. Only the last one may be short.
 *
 * @param size rows of a batch, at least 1
 * @param dropLast whether the short one is left out
 */
public record AnyOrder(int size, boolean dropLast) implements RowView {

    public AnyOrder {
        if (size < 1) {
            throw new IllegalArgumentException("batches of " + size + " rows");
        }
    }

    @Override
    public long row(long position) {
        return position;
    }

    /** Nothing but that there are rows to be read. */
    @Override
    public long needs(long position) {
        return 0;
    }

    @Override
    public long end(long rows) {
        return dropLast ? rows - rows % size : rows;
    }

    @Override
    public long dropped(long rows) {
        return rows - end(rows);
    }

    @Override
    public boolean isOrdered() {
        return false;
    }
}
