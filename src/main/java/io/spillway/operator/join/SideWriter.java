package io.spillway.operator.join;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.KeyHash;
import io.spillway.operator.partition.PartitionFiles;
import io.spillway.operator.partition.PartitionWriter;
import io.spillway.operator.partition.RunWriter;
import io.spillway.spill.SpillSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the rows of one side over files by the hash of their keys, each in order. Rows that match
 * nothing go to a file of their own, or nowhere.
 */
final class SideWriter implements AutoCloseable {

    private final SideKeys keys;
    private final int level;
    private final RowSchema schema;
    private final BufferAllocator allocator;
    private final MemoryHolding holding;
    private final long blockBytes;
    private final PartitionWriter writer;
    private long room;
    private long[] hashes = new long[0];

    /**
     * A writer.
     *
     * @param keys of the batches; taken over
     * @param level of the hash
     * @param outside takes the rows that match nothing; null if they are not wanted; stays the
     *     caller's
     * @param holding for what waits, as far as it can grow; stays the caller's
     */
    SideWriter(
            SideKeys keys,
            RowSchema schema,
            int level,
            @Nullable RunWriter outside,
            JoinMemory memory,
            SpillSpace space,
            MemoryHolding holding,
            BufferAllocator allocator) {
        this.keys = keys;
        this.schema = schema;
        this.level = level;
        this.holding = holding;
        this.allocator = allocator;
        this.blockBytes = memory.size().bytes();
        int bits = memory.partitionBits();
        this.writer =
                new PartitionWriter(
                        schema, bits, memory.size().rows(), blockBytes, outside, space, allocator);
        long wanted = blockBytes << bits;
        while (wanted > blockBytes && !holding.tryGrow(wanted)) {
            wanted /= 2;
        }
        room = wanted > blockBytes ? wanted : 0;
        writer.setWaitingBytes(blockBytes + room);
    }

    /** Adds rows; takes the batch over, unless this fails. */
    void add(RecordBatch batch) {
        int rows = batch.rowCount();
        if (rows == 0) {
            batch.close();
            return;
        }
        int[] partitionOf = new int[rows];
        try (SideKeys.RowKeys rowKeys = keys.encode(batch)) {
            int count = rowKeys.count();
            if (hashes.length < count) {
                hashes = new long[count];
            }
            KeyHash.of(rowKeys.keys(), level, hashes);
            if (rowKeys.rows() != null) {
                Arrays.fill(partitionOf, PartitionWriter.OUTSIDE);
            }
            for (int i = 0; i < count; i++) {
                partitionOf[rowKeys.row(i)] = writer.partition(hashes[i]);
            }
        }
        writer.add(plain(batch), partitionOf);
    }

    /** Files have no dictionaries: what waits is what will be written. */
    private RecordBatch plain(RecordBatch batch) {
        boolean encoded = false;
        for (int i = 0; i < schema.size(); i++) {
            encoded |= batch.column(i) instanceof ColumnVector.Encoded;
        }
        if (!encoded) {
            return batch;
        }
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            for (int i = 0; i < schema.size(); i++) {
                columns.add(
                        switch (batch.column(i)) {
                            case ColumnVector.Plain column -> column.slice(0, batch.rowCount());
                            case ColumnVector.Encoded column ->
                                    new ColumnVector.Plain(Decode.decode(column, allocator));
                        });
            }
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
        batch.close();
        return new RecordBatch(schema, columns, batch.rowCount());
    }

    /** Does with as little memory as it can from now on. */
    void shrink() {
        writer.flush();
        if (room > 0) {
            holding.shrink(room);
            room = 0;
            writer.setWaitingBytes(blockBytes);
        }
    }

    /** The files, owned by the caller. */
    PartitionFiles finish() {
        return writer.finish();
    }

    @Override
    public void close() {
        writer.close();
        keys.close();
        if (room > 0) {
            holding.shrink(room);
            room = 0;
        }
    }
}
