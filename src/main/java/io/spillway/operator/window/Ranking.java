package io.spillway.operator.window;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import org.apache.arrow.memory.BufferAllocator;

/** Functions of nothing but the row's place in its partition. */
final class Ranking implements Computation {

    private final WindowFunction function;
    private final long tiles;
    private final ColumnSchema schema;
    private final BufferAllocator allocator;
    private long partition = -1;
    private long peers = -1;
    private long group;

    /**
     * A ranking.
     *
     * @param tiles the parameter of {@link WindowFunction#NTILE}
     */
    Ranking(WindowFunction function, long tiles, ColumnSchema schema, BufferAllocator allocator) {
        this.function = function;
        this.tiles = tiles;
        this.schema = schema;
        this.allocator = allocator;
    }

    @Override
    public ColumnVector compute(Rows rows, long[] starts, long[] ends) {
        int count = rows.count();
        try (Output out = new Output(schema, count, allocator)) {
            for (int i = 0; i < count; i++) {
                put(rows, i, out);
            }
            return out.take();
        }
    }

    private void put(Rows rows, int row, Output out) {
        long begin = rows.partition[row];
        long place = rows.first + row - begin;
        long size = rows.partitionEnd[row] - begin;
        long rank = rows.peers[row] - begin;
        switch (function) {
            case ROW_NUMBER -> out.putLong(row, place + 1);
            case RANK -> out.putLong(row, rank + 1);
            case DENSE_RANK -> out.putLong(row, denseRank(begin, rows.peers[row]));
            case PERCENT_RANK -> out.putDouble(row, size == 1 ? 0 : (double) rank / (size - 1));
            case CUME_DIST -> out.putDouble(row, (double) (rows.peersEnd[row] - begin) / size);
            case NTILE -> out.putLong(row, tile(place, size));
            case LAG,
                    LEAD,
                    FIRST_VALUE,
                    LAST_VALUE,
                    NTH_VALUE,
                    SUM,
                    AVG,
                    COUNT,
                    COUNT_ROWS,
                    MIN,
                    MAX ->
                    throw new IllegalStateException(function + " is no ranking");
        }
    }

    private long denseRank(long begin, long ofPeers) {
        if (begin != partition) {
            partition = begin;
            group = 1;
        } else if (ofPeers != peers) {
            group++;
        }
        peers = ofPeers;
        return group;
    }

    private long tile(long place, long size) {
        long small = size / tiles;
        long large = size % tiles;
        long inLarge = large * (small + 1);
        return place < inLarge ? place / (small + 1) + 1 : large + (place - inLarge) / small + 1;
    }

    @Override
    public void close() {}
}
