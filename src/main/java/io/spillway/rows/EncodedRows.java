package io.spillway.rows;

import io.spillway.batch.PollStream;
import io.spillway.encode.BatchEncoder;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.EncodedChunk;
import io.spillway.execution.OrderedPartitions;
import io.spillway.execution.ParallelStage;
import java.util.function.Supplier;

/** Rows of a source as bytes: read in order, encoded in parallel, given out in order. */
public final class EncodedRows {

    /** Chunks that the network may have taken and not yet sent. */
    private static final long CHUNKS_UNDER_WAY = 4;

    private EncodedRows() {}

    /**
     * Bytes that wait for one reader at most, be it ever so slow, if its rows are of usual size:
     * batches ahead of the encoders and in them, chunks ahead of the network, and those it has
     * taken and not yet sent.
     */
    public static long bytesAhead(RowSource source, int batchRows, int parallelism) {
        long batch = BatchSize.estimate(source.schema(), batchRows);
        // What may wait is exceeded by one item each; and each lane has a batch in hand.
        long batches = OrderedPartitions.bytesAhead(parallelism) + 2L * parallelism * batch;
        long chunks = 2 * ParallelStage.bytesAhead(parallelism);
        return batches + chunks + CHUNKS_UNDER_WAY * BatchEncoders.CHUNK_BYTES;
    }

    /**
     * Rows {@code [from, to)} of the source. Nothing runs before the first pull.
     *
     * @param encoders makes encoders for the source's schema
     */
    public static PollStream<EncodedChunk> open(
            RowSource source,
            long from,
            long to,
            Supplier<BatchEncoder> encoders,
            ReadContext context) {
        return new ParallelStage<>(
                new NumberedStream(source.open(from, to, context), from),
                () -> new EncodeLane(encoders, context.pool().allocator()),
                EncodedChunk::length,
                context.group(),
                context.parallelism());
    }
}
