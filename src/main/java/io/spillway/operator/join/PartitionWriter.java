package io.spillway.operator.join;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.KeyHash;
import io.spillway.operator.key.RowGather;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the rows of one side over files by the hash of their keys, each in order. Rows that match
 * nothing go to a file of their own, or nowhere.
 *
 * <p>Batches wait until there are enough rows for each file, so that its blocks are not too small.
 */
final class PartitionWriter implements AutoCloseable {

    /** The partition of rows that match nothing. */
    private static final int OUTSIDE = -1;

    private final SideKeys keys;
    private final int level;
    private final int bits;
    private final RowSchema schema;
    private final BufferAllocator allocator;
    private final BatchSize size;
    private final MemoryHolding holding;
    private final List<RunWriter> writers = new ArrayList<>();
    private final @Nullable RunWriter outside;
    private final List<RecordBatch> waiting = new ArrayList<>();
    private final List<int[]> partitions = new ArrayList<>();
    private int waitingRows;
    private long waitingBytes;
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
    PartitionWriter(
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
        this.outside = outside;
        this.bits = memory.partitionBits();
        this.size = memory.size();
        this.holding = holding;
        this.allocator = allocator;
        for (int i = 0; i < 1 << bits; i++) {
            writers.add(new RunWriter(space, schema));
        }
        long wanted = size.bytes() << bits;
        while (wanted > size.bytes() && !holding.tryGrow(wanted)) {
            wanted /= 2;
        }
        room = wanted > size.bytes() ? wanted : 0;
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
                Arrays.fill(partitionOf, OUTSIDE);
            }
            for (int i = 0; i < count; i++) {
                partitionOf[rowKeys.row(i)] = (int) (hashes[i] >>> (Long.SIZE - bits));
            }
        }
        RecordBatch plain = plain(batch);
        waiting.add(plain);
        partitions.add(partitionOf);
        waitingRows += rows;
        waitingBytes += plain.bytes();
        if (waitingBytes >= size.bytes() + room) {
            flush();
        }
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

    /** Writes what waits. */
    void flush() {
        if (waitingRows == 0) {
            return;
        }
        int[] ends = new int[(1 << bits) + 1];
        for (int[] partitionOf : partitions) {
            for (int partition : partitionOf) {
                ends[partition + 1]++;
            }
        }
        int[] next = new int[ends.length];
        for (int i = 1; i < ends.length; i++) {
            next[i] = ends[i - 1];
            ends[i] += ends[i - 1];
        }
        int[] sourceOf = new int[waitingRows];
        int[] rowOf = new int[waitingRows];
        for (int source = 0; source < partitions.size(); source++) {
            int[] partitionOf = partitions.get(source);
            for (int row = 0; row < partitionOf.length; row++) {
                int at = next[partitionOf[row] + 1]++;
                sourceOf[at] = source;
                rowOf[at] = row;
            }
        }
        RowGather gather = new RowGather(schema, waiting);
        int piece = Math.clamp(size.bytes() * waitingRows / (waitingBytes + 1), 1, waitingRows);
        for (int i = 0; i < ends.length; i++) {
            RunWriter writer = i == 0 ? outside : writers.get(i - 1);
            if (writer == null) {
                continue;
            }
            for (int from = i == 0 ? 0 : ends[i - 1]; from < ends[i]; from += piece) {
                int to = Math.min(ends[i], from + piece);
                try (RecordBatch rows =
                        gather.gather(
                                Arrays.copyOfRange(sourceOf, from, to),
                                Arrays.copyOfRange(rowOf, from, to),
                                to - from,
                                allocator)) {
                    writer.append(rows);
                }
            }
        }
        forget();
    }

    private void forget() {
        waiting.forEach(RecordBatch::close);
        waiting.clear();
        partitions.clear();
        waitingRows = 0;
        waitingBytes = 0;
    }

    /** Does with as little memory as it can from now on. */
    void shrink() {
        flush();
        if (room > 0) {
            holding.shrink(room);
            room = 0;
        }
    }

    /** The files, owned by the caller. */
    PartitionFiles finish() {
        flush();
        List<@Nullable SpillFile> files = new ArrayList<>();
        try {
            for (RunWriter writer : writers) {
                files.add(writer.finish());
            }
            return new PartitionFiles(files);
        } catch (Throwable t) {
            new PartitionFiles(files).close();
            throw t;
        }
    }

    @Override
    public void close() {
        forget();
        keys.close();
        writers.forEach(RunWriter::close);
        if (room > 0) {
            holding.shrink(room);
            room = 0;
        }
    }
}
