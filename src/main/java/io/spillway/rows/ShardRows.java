package io.spillway.rows;

import org.jspecify.annotations.Nullable;

/**
 * The rows of a shard, batch after batch. Shards that are read in step are to read everything once
 * together, and one that is read alone is to leave alone what holds nothing of it:
 *
 * <ul>
 *   <li>If what lies between two of its batches fits what neighbours keep for each other, a reader
 *       reads on through the gap: whoever comes to a row first reads it for all.
 *   <li>It leaves out partitions that hold no row of it.
 *   <li>Larger gaps it passes over. What readers in step then read twice is only what stands across
 *       the borders of batches, which is little since these are large.
 * </ul>
 */
final class ShardRows implements Wanted {

    /** Where a cursor ends is not looked for in more partitions ahead. */
    private static final int PARTITIONS_AHEAD = 64;

    private final Shard shard;
    private final RowSource source;
    private final long to;
    private final long rows;
    private final long near;
    private final boolean readsThrough;
    private long position;

    /**
     * @param from first position that is wanted
     * @param to position after the last one
     * @param rows how many rows there are; of no meaning unless rows are repeated
     * @param keptRows about how many rows are kept for neighbours
     * @param usualNear how many rows are read through in any case
     */
    ShardRows(
            Shard shard,
            RowSource source,
            long from,
            long to,
            long rows,
            long keptRows,
            long usualNear) {
        this.shard = shard;
        this.source = source;
        this.position = from;
        this.to = to;
        this.rows = rows;
        this.readsThrough = shard.window() <= keptRows;
        this.near = readsThrough ? Math.max(usualNear, shard.window()) : usualNear;
    }

    @Override
    public @Nullable Range next() {
        if (position >= to) {
            return null;
        }
        Shard.Run run = shard.run(position, to, rows);
        position += run.to() - run.from();
        return new Range(run.from(), run.to());
    }

    @Override
    public long near() {
        return near;
    }

    @Override
    public long cursorEnd(long row) {
        if (!readsThrough) {
            return (row / shard.size() + 1) * shard.size();
        }
        long end = source.partitionEnd(row);
        for (int i = 0; i < PARTITIONS_AHEAD && end < Long.MAX_VALUE; i++) {
            long after = source.partitionEnd(end);
            if (ownFrom(end) >= after) {
                break;
            }
            end = after;
        }
        return end;
    }

    /** The first row of the shard that is not before a row. */
    private long ownFrom(long row) {
        long batch = row / shard.size();
        long others = Math.floorMod(shard.shard() - batch, (long) shard.of());
        return others == 0 ? row : RowView.times(batch + others, shard.size());
    }
}
