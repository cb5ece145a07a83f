package io.spillway.operator.window;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Decode;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyBytes;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.SortKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds where partitions and peers begin in sorted rows, and adds it to them. Positions count from
 * the beginning of the segment that rows go to.
 */
final class Marker implements AutoCloseable {

    private final WindowShape shape;
    private final RowSchema marked;
    private final BitSet numbers;
    private final BufferAllocator allocator;
    private final Changes partitions;
    private final Changes peers;
    private long position;
    private long partition;
    private long peer;

    Marker(WindowShape shape, BufferAllocator allocator) {
        this.shape = shape;
        this.marked = shape.marked();
        this.numbers = shape.numbers();
        this.allocator = allocator;
        this.partitions =
                new Changes(KeyEncoder.equal(shape.partition(), shape.input(), allocator));
        this.peers =
                new Changes(
                        KeyEncoder.equal(
                                shape.order().stream().map(SortKey::column).toList(),
                                shape.input(),
                                allocator));
    }

    /** Where keys differ from those of the row before. */
    private final class Changes implements AutoCloseable {

        private final KeyEncoder encoder;
        private @Nullable ArrowBuf last;
        private int lastLength;

        Changes(KeyEncoder encoder) {
            this.encoder = encoder;
        }

        /** Sets the rows whose keys do; the first row of all does. */
        BitSet in(RecordBatch batch) {
            int rows = batch.rowCount();
            BitSet changes = new BitSet(rows);
            try (EncodedKeys keys = encoder.encode(batch)) {
                long before = last == null ? 0 : last.memoryAddress();
                int length = last == null ? -1 : lastLength;
                for (int i = 0; i < rows; i++) {
                    long address = keys.address(i);
                    int own = keys.length(i);
                    if (own != length || KeyBytes.mismatch(before, address, 0, own) < own) {
                        changes.set(i);
                    }
                    before = address;
                    length = own;
                }
                if (rows > 0) {
                    keep(before, length);
                }
            }
            return changes;
        }

        private void keep(long address, int length) {
            ArrowBuf copy = allocator.buffer(length + (long) Long.BYTES);
            OffHeap.copy(address, copy.memoryAddress(), length);
            drop();
            last = copy;
            lastLength = length;
        }

        private void drop() {
            ArrowBuf old = last;
            last = null;
            if (old != null) {
                old.close();
            }
        }

        @Override
        public void close() {
            drop();
            encoder.close();
        }
    }

    /** The rows in which a partition begins. */
    BitSet partitionsOf(RecordBatch batch) {
        return partitions.in(batch);
    }

    /**
     * The rows in which peers begin, if a partition does not.
     *
     * @param batch the same
     */
    BitSet peersOf(RecordBatch batch) {
        return peers.in(batch);
    }

    /** From here on positions count from 0. */
    void startSegment() {
        position = 0;
    }

    /**
     * Rows {@code [from, to)} of a batch with where their partitions and peers begin.
     *
     * @param batch stays the caller's
     * @return the caller's
     */
    RecordBatch mark(RecordBatch batch, int from, int to, BitSet newPartitions, BitSet newPeers) {
        int rows = to - from;
        List<ColumnVector> columns = new ArrayList<>();
        try (Output begins = new Output(marked.column(shape.partitionColumn()), rows, allocator);
                Output peersBegin =
                        new Output(marked.column(shape.peersColumn()), rows, allocator)) {
            for (int i = 0; i < rows; i++) {
                if (newPartitions.get(from + i)) {
                    partition = position;
                    peer = position;
                } else if (newPeers.get(from + i)) {
                    peer = position;
                }
                begins.putLong(i, partition);
                peersBegin.putLong(i, peer);
                position++;
            }
            for (int c = 0; c < shape.input().size(); c++) {
                columns.add(column(batch, c, from, rows));
            }
            columns.add(begins.take());
            columns.add(peersBegin.take());
            return new RecordBatch(marked, columns, rows);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private ColumnVector column(RecordBatch batch, int column, int from, int rows) {
        ColumnVector slice = batch.column(column).slice(from, rows);
        if (slice instanceof ColumnVector.Encoded encoded && numbers.get(column)) {
            try (slice) {
                return new ColumnVector.Plain(Decode.decode(encoded, allocator));
            }
        }
        return slice;
    }

    @Override
    public void close() {
        partitions.close();
        peers.close();
    }
}
