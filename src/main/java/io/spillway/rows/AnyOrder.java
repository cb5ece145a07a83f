package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.execution.Partition;
import io.spillway.execution.UnorderedPartitions;
import java.util.Iterator;

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

    /**
     * All rows of a source that are wanted. Where its parts cannot be read by themselves, they come
     * in order, which is one that they may have.
     */
    BatchStream rows(RowSource source, ReadContext context) {
        Iterator<Partition> partitions = source.partitions(context);
        BatchStream rows =
                partitions == null
                        ? source.open(0, Long.MAX_VALUE, context)
                        : new UnorderedPartitions(
                                source.schema(),
                                partitions,
                                context.group(),
                                context.parallelism());
        return dropLast ? new WholeBatches(rows, size) : rows;
    }
}
