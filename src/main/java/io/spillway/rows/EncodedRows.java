package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.encode.ArrowFormat;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.CsvFormat;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.EventFormat;
import io.spillway.encode.JsonFormat;
import io.spillway.encode.RowFormat;
import io.spillway.execution.OrderedPartitions;
import io.spillway.execution.ParallelStage;

/**
 * Rows of a source as bytes: read in order, encoded in parallel, given out in order. The bytes
 * depend on nothing but the rows, their numbers and the format, be the source read ever so
 * differently: Arrow, which shows where batches begin, shows multiples of the batch size.
 */
public final class EncodedRows {

    /** Chunks that the network may have taken and not yet sent. */
    private static final long CHUNKS_UNDER_WAY = 4;

    private EncodedRows() {}

    /**
     * Bytes that wait for one reader at most, be it ever so slow, if its rows are of usual size:
     * batches ahead of the encoders and in them, chunks ahead of the network, and those it has
     * taken and not yet sent.
     */
    public static long bytesAhead(
            RowSource source, RowFormat format, int batchRows, int parallelism) {
        long batch = BatchSize.estimate(source.schema(), batchRows);
        // A chunk of Arrow is a batch, in plain form, unless that is large.
        long chunk =
                Math.min(
                        BatchEncoders.chunkBytes(format),
                        Math.max(BatchEncoders.CHUNK_BYTES, batch));
        // What may wait is exceeded by one item each; and each lane has a batch in hand, which it
        // may just have made of parts.
        long inHand = isAligned(format) ? 3 : 2;
        long batches = OrderedPartitions.bytesAhead(parallelism) + inHand * parallelism * batch;
        long chunks =
                ParallelStage.bytesAhead(parallelism)
                        + ParallelStage.itemsAhead(parallelism) * chunk;
        return batches + chunks + CHUNKS_UNDER_WAY * chunk;
    }

    /** Rows {@code [from, to)} of the source. Nothing runs before the first pull. */
    public static PollStream<EncodedChunk> open(
            RowSource source, long from, long to, RowFormat format, ReadContext context) {
        BatchStream rows = source.open(from, to, context);
        return new ParallelStage<>(
                isAligned(format)
                        ? new AlignedStream(rows, from, context.batchRows())
                        : new NumberedStream(rows, from),
                () ->
                        new EncodeLane(
                                () -> BatchEncoders.of(source.schema(), format),
                                context.pool().allocator()),
                EncodedChunk::length,
                context.group(),
                context.parallelism());
    }

    /** Whether a format shows where batches begin. */
    private static boolean isAligned(RowFormat format) {
        return switch (format) {
            case ArrowFormat _ -> true;
            case JsonFormat _, CsvFormat _, EventFormat _ -> false;
        };
    }
}
