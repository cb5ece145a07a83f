package io.spillway.spill;

import java.util.Arrays;

/** Where the blocks of a file begin, and with which row. Filled by one, then read by many. */
public final class BlockIndex {

    private long[] firstRows = new long[8];
    private long[] offsets = new long[8];
    private int size;
    private long rows;
    private long end;

    /**
     * An index of no blocks.
     *
     * @param start where the first block will begin
     */
    public BlockIndex(long start) {
        this.end = start;
    }

    /** Adds the block that begins where the one before it ends. */
    public void add(int blockRows, long blockBytes) {
        if (size == offsets.length) {
            firstRows = Arrays.copyOf(firstRows, 2 * size);
            offsets = Arrays.copyOf(offsets, 2 * size);
        }
        firstRows[size] = rows;
        offsets[size] = end;
        size++;
        rows += blockRows;
        end += blockBytes;
    }

    /** Number of blocks. */
    public int size() {
        return size;
    }

    /** Rows of all blocks. */
    public long rows() {
        return rows;
    }

    /** Where the last block ends. */
    public long end() {
        return end;
    }

    public long firstRow(int block) {
        return firstRows[block];
    }

    public long offset(int block) {
        return offsets[block];
    }

    /** Bytes of a block. */
    public long bytes(int block) {
        return (block + 1 < size ? offsets[block + 1] : end) - offsets[block];
    }

    /** The block that holds a row; the number of blocks if none does. */
    public int find(long row) {
        if (row >= rows) {
            return size;
        }
        int low = 0;
        int high = size - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firstRows[middle] <= row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
