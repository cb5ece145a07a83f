package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.encode.ArrowFormat;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.CapEncoder;
import io.spillway.encode.CappedFormat;
import io.spillway.encode.CsvFormat;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.GroupFormat;
import io.spillway.encode.GroupText;
import io.spillway.encode.JsonFormat;
import io.spillway.encode.MeasuredRows;
import io.spillway.encode.RowFormat;
import io.spillway.execution.OrderedPartitions;
import io.spillway.execution.ParallelStage;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows of a source as bytes: read in order, encoded in parallel, given out in order. The bytes
 * depend on nothing but the rows, their numbers and the format, be the source read ever so
 * differently: Arrow, which shows where batches begin, shows multiples of the batch size.
 */
public final class EncodedRows {

    /** Chunks that the network may have taken and not yet sent. */
    private static final long CHUNKS_UNDER_WAY = 2;

    /** What is ahead of events, whose chunks are small. */
    private static final long EVENT_BYTES = 64 << 10;

    /** One chunk is all that lanes are ahead with what they have in hand. */
    private static final long ANY = 1;

    /** A part of what fills a chunk is left free: rows may take more than those before them. */
    private static final long SPARE = 32;

    private EncodedRows() {}

    /**
     * Bytes that wait for one reader at most, be it ever so slow, if its rows are of usual size:
     * batches ahead of the encoders and in them, chunks ahead of the network, and those it has
     * taken and not yet sent.
     */
    public static long bytesAhead(
            RowSource source, RowFormat format, int batchRows, int parallelism) {
        long batch =
                BatchSize.estimate(
                        source.schema(),
                        format instanceof ArrowFormat arrow
                                ? alignedRows(arrow, batchRows)
                                : batchRows);
        // A chunk of Arrow is a batch, in plain form, unless that is large, and need not be whole.
        long chunk =
                isWhole(format)
                        ? batch
                        : Math.min(
                                BatchEncoders.chunkBytes(format),
                                Math.max(BatchEncoders.CHUNK_BYTES, batch));
        // What may wait is exceeded by one item each; and each lane has a batch in hand, which it
        // may just have made of parts.
        long inHand = isAligned(format) && !isWhole(format) ? 3 : 2;
        long batches = OrderedPartitions.bytesAhead(parallelism) + inHand * parallelism * batch;
        long chunks =
                ParallelStage.itemsAhead(parallelism, itemsPerLane(format))
                        * (aheadBytes(format) - 1 + chunk);
        return batches + chunks + CHUNKS_UNDER_WAY * chunk;
    }

    /** Rows {@code [from, to)} of the source. Nothing runs before the first pull. */
    public static PollStream<EncodedChunk> open(
            RowSource source, long from, long to, RowFormat format, ReadContext context) {
        return encode(source.open(from, to, context), new RowView.All(), from, format, context);
    }

    /**
     * The rows of a stream, which is taken over.
     *
     * @param view whose rows these are
     * @param from position of the first one
     */
    public static PollStream<EncodedChunk> encode(
            BatchStream rows, RowView view, long from, RowFormat format, ReadContext context) {
        long bytes = BatchEncoders.chunkBytes(format);
        ChunkRows chunkRows = new ChunkRows(bytes - bytes / SPARE);
        BufferAllocator allocator = context.pool().allocator();
        PollStream<NumberedRows> items =
                switch (format) {
                    case JsonFormat _, CsvFormat _ ->
                            new NumberedStream(rows, from, chunkRows::get);
                    case GroupFormat groups ->
                            new NumberedStream(rows, from, partRows(groups.text(), chunkRows));
                    case CappedFormat capped ->
                            new NumberedStream(rows, from, partRows(capped.text(), chunkRows));
                    case ArrowFormat arrow ->
                            new NumberedGroups(
                                    new AlignedStream(
                                            rows,
                                            from,
                                            alignedRows(arrow, context.batchRows()),
                                            cutsAtOnce(arrow)),
                                    from);
                };
        return switch (format) {
            case CappedFormat capped ->
                    new CappedChunks(
                            stage(
                                    items,
                                    () ->
                                            new EncodeLane<>(
                                                    () ->
                                                            RangeEncoder.measured(
                                                                    new CapEncoder(
                                                                            rows.schema(),
                                                                            capped,
                                                                            weights(
                                                                                    capped,
                                                                                    rows.schema(),
                                                                                    allocator))),
                                                    view,
                                                    chunkRows,
                                                    allocator),
                                    MeasuredRows::length,
                                    format,
                                    context),
                            capped,
                            allocator);
            case JsonFormat _, CsvFormat _, GroupFormat _, ArrowFormat _ ->
                    stage(
                            items,
                            () ->
                                    new EncodeLane<>(
                                            () ->
                                                    RangeEncoder.chunks(
                                                            BatchEncoders.of(
                                                                    rows.schema(), format)),
                                            view,
                                            chunkRows,
                                            allocator),
                            EncodedChunk::length,
                            format,
                            context);
        };
    }

    private static <O extends AutoCloseable> PollStream<O> stage(
            PollStream<NumberedRows> items,
            Supplier<EncodeLane<O>> lanes,
            ToLongFunction<O> size,
            RowFormat format,
            ReadContext context) {
        return new ParallelStage<>(
                items,
                lanes,
                size,
                aheadBytes(format),
                itemsPerLane(format),
                context.group(),
                context.parallelism());
    }

    /** Events are not to be cut by what was measured: the same rows are to make the same chunks. */
    private static IntSupplier partRows(GroupText text, ChunkRows chunkRows) {
        return text.isEvents() ? () -> Integer.MAX_VALUE : chunkRows::get;
    }

    private static MeasuredRows.Weights weights(
            CappedFormat format, RowSchema schema, BufferAllocator allocator) {
        int column = format.progress().caps().weightColumn();
        return column < 0 ? MeasuredRows.Weights.NONE : new RowWeights(schema, column, allocator);
    }

    /**
     * Bytes of chunks at which a lane stops working on what it has in hand until some have gone.
     */
    private static long aheadBytes(RowFormat format) {
        return switch (format) {
            case JsonFormat _, CsvFormat _, ArrowFormat _ -> ANY;
            case GroupFormat groups -> groups.text().isEvents() ? EVENT_BYTES : ANY;
            case CappedFormat capped -> capped.text().isEvents() ? EVENT_BYTES : ANY;
        };
    }

    /** How many rows belong together. */
    private static int alignedRows(ArrowFormat format, int batchRows) {
        return format.batches() == null ? batchRows : format.batches().size();
    }

    /** Small exact batches are encoded as they come, many at a time. */
    private static long cutsAtOnce(ArrowFormat format) {
        return format.batches() == null ? 1 : Long.MAX_VALUE;
    }

    /** Whether a chunk is one exact batch, be that ever so large. */
    private static boolean isWhole(RowFormat format) {
        return format instanceof ArrowFormat arrow && arrow.batches() != null;
    }

    /** Items that are worked on or wait, for each lane: no further one while those may be large. */
    private static int itemsPerLane(RowFormat format) {
        return isWhole(format) ? 1 : 2;
    }

    /** Whether a format shows where batches begin. */
    private static boolean isAligned(RowFormat format) {
        return switch (format) {
            case ArrowFormat _ -> true;
            case JsonFormat _, CsvFormat _, GroupFormat _, CappedFormat _ -> false;
        };
    }
}
