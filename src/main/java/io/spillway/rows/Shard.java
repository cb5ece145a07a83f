package io.spillway.rows;

/**
 * The batches that are one reader's when several readers take turns: of batches of {@code size}
 * rows, numbers {@code shard}, {@code shard + of}, {@code shard + 2 of}, …, one behind the other.
 *
 * <pre>
 *   batch      0     1     2     3     4     5     6
 *   shard      0     1     2     0     1     2     0        of 3
 *   shard 1          ▲                 ▲                    positions [0, size), [size, 2 size)
 * </pre>
 *
 * @param size rows of a batch, at least 1
 * @param shard from 0 on
 * @param of how many shards there are; 1 for a reader of all batches
 */
public record Shard(int size, int shard, int of, Rest rest) implements RowView {

    /** What becomes of the batches that do not make the same for each shard. */
    public enum Rest {
        /** Each shard has what is its own; the last batch of all may be short. */
        KEPT,
        /** The same without the short batch. */
        FULL,
        /** Each shard has as many full batches as any other; the rows behind these are left out. */
        DROPPED,
        /** Each shard has as many full batches as any other, as rows are repeated from row 0 on. */
        REPEATED
    }

    public Shard {
        if (size < 1 || of < 1 || shard < 0 || shard >= of) {
            throw new IllegalArgumentException(
                    "shard %d of %d of batches of %d rows".formatted(shard, of, size));
        }
    }

    /** The rows of a batch that follow each other, from one of them on. */
    record Run(long from, long to) {}

    @Override
    public long row(long position) {
        long batch = RowView.plus(RowView.times(Math.max(position, 0) / size, of), shard);
        return RowView.plus(RowView.times(batch, size), Math.max(position, 0) % size);
    }

    /**
     * The first position at which a batch of the shard begins that is not before a batch.
     *
     * @param batch number of that batch, from 0 on
     */
    public long positionOf(long batch) {
        long turns = batch <= shard ? 0 : (batch - shard - 1) / of + 1;
        return RowView.times(turns, size);
    }

    @Override
    public long needs(long position) {
        return switch (rest) {
            case KEPT -> row(position);
            case FULL, DROPPED, REPEATED -> Long.MAX_VALUE;
        };
    }

    @Override
    public long end(long rows) {
        long full = rows / size;
        return switch (rest) {
            case KEPT -> own(full) * size + (full % of == shard ? rows % size : 0);
            case FULL -> own(full) * size;
            case DROPPED -> full / of * size;
            case REPEATED -> RowView.times(Math.ceilDiv(Math.ceilDiv(rows, size), of), size);
        };
    }

    /** How many of so many batches are the shard's. */
    private long own(long batches) {
        return batches <= shard ? 0 : (batches - shard - 1) / of + 1;
    }

    @Override
    public long dropped(long rows) {
        return switch (rest) {
            case KEPT, REPEATED -> 0;
            case FULL -> rows % size;
            case DROPPED -> rows - rows / size / of * of * size;
        };
    }

    @Override
    public boolean isOrdered() {
        return true;
    }

    /**
     * The rows from a position on, as far as they follow each other.
     *
     * @param to position after the last that is wanted
     * @param rows how many rows the job has; of no meaning unless rows are repeated
     */
    Run run(long position, long to, long rows) {
        long first = row(position);
        long left = of == 1 ? to - position : Math.min(to - position, size - position % size);
        if (rest == Rest.REPEATED) {
            first %= rows;
            left = Math.min(left, rows - first);
        }
        return new Run(first, RowView.plus(first, left));
    }

    /** How many rows of the job come from the start of a batch to the start of the shard's next. */
    long window() {
        return (long) size * of;
    }
}
