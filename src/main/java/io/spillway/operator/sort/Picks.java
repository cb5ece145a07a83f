package io.spillway.operator.sort;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.RowGather;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The next rows of a merge, picked one after the other, and not copied yet. Has a reference to each
 * block that they are from.
 */
final class Picks implements AutoCloseable {

    private final List<Block> blocks = new ArrayList<>();
    private final int[] blockOf;
    private final int[] rowOf;
    private int count;
    private long bytes;
    private long keyBytes;

    /** Room for so many rows. */
    Picks(int rows) {
        this.blockOf = new int[rows];
        this.rowOf = new int[rows];
    }

    /**
     * Adds a row.
     *
     * @param rowBytes that it takes in plain form
     */
    void add(Cursor cursor, long rowBytes) {
        int place = cursor.place();
        if (place == Cursor.UNPICKED) {
            place = blocks.size();
            blocks.add(cursor.block().retain());
            cursor.setPlace(place);
        }
        blockOf[count] = place;
        rowOf[count++] = cursor.row();
        bytes += rowBytes;
        keyBytes += cursor.keyLength();
    }

    /** Number of rows. */
    int count() {
        return count;
    }

    /** Bytes that the rows take in plain form. */
    long bytes() {
        return bytes;
    }

    /** Bytes that their keys take. */
    long keyBytes() {
        return keyBytes;
    }

    /** The rows, owned by the caller. */
    RecordBatch gather(RowSchema schema, BufferAllocator allocator) {
        return new RowGather(schema, blocks.stream().map(Block::batch).toList())
                .gather(blockOf, rowOf, count, allocator);
    }

    @Override
    public void close() {
        blocks.forEach(Block::close);
        blocks.clear();
    }
}
