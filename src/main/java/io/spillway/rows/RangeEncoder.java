package io.spillway.rows;

import io.spillway.batch.RecordBatch;
import io.spillway.encode.BatchEncoder;
import io.spillway.encode.CapEncoder;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.MeasuredRows;
import org.apache.arrow.memory.BufferAllocator;

/** Encodes some rows of a batch, as {@link BatchEncoder#encode} does. */
interface RangeEncoder<O extends AutoCloseable> extends AutoCloseable {

    O encode(RecordBatch batch, long first, int from, int to, BufferAllocator allocator);

    /** How many rows have been encoded. */
    int rows(O encoded);

    /** Bytes of them. */
    long bytes(O encoded);

    @Override
    void close();

    /** Rows as chunks that are sent. */
    static RangeEncoder<EncodedChunk> chunks(BatchEncoder encoder) {
        return new RangeEncoder<>() {

            @Override
            public EncodedChunk encode(
                    RecordBatch batch, long first, int from, int to, BufferAllocator allocator) {
                return encoder.encode(batch, first, from, to, allocator);
            }

            @Override
            public int rows(EncodedChunk encoded) {
                return (int) encoded.rows();
            }

            @Override
            public long bytes(EncodedChunk encoded) {
                return encoded.length();
            }

            @Override
            public void close() {
                encoder.close();
            }
        };
    }

    /** Rows as texts that are still to be put into batches. */
    static RangeEncoder<MeasuredRows> measured(CapEncoder encoder) {
        return new RangeEncoder<>() {

            @Override
            public MeasuredRows encode(
                    RecordBatch batch, long first, int from, int to, BufferAllocator allocator) {
                return encoder.encode(batch, first, from, to, allocator);
            }

            @Override
            public int rows(MeasuredRows encoded) {
                return encoded.rows();
            }

            @Override
            public long bytes(MeasuredRows encoded) {
                return encoded.length();
            }

            @Override
            public void close() {
                encoder.close();
            }
        };
    }
}
