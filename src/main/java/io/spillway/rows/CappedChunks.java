package io.spillway.rows;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.encode.CapEncoder;
import io.spillway.encode.CappedFormat;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.MeasuredRows;
import org.apache.arrow.memory.BufferAllocator;

/** Puts rows that come as texts, in their order, into batches that close early. */
final class CappedChunks implements PollStream<EncodedChunk> {

    private final PollStream<MeasuredRows> rows;
    private final CappedFormat format;
    private final BufferAllocator allocator;

    CappedChunks(PollStream<MeasuredRows> rows, CappedFormat format, BufferAllocator allocator) {
        this.rows = rows;
        this.format = format;
        this.allocator = allocator;
    }

    @Override
    public Poll<EncodedChunk> poll() {
        return switch (rows.poll()) {
            case Poll.Output<MeasuredRows>(MeasuredRows measured) ->
                    Poll.output(CapEncoder.group(measured, format, allocator));
            case Poll.Blocked<MeasuredRows>(var until) -> Poll.blocked(until);
            case Poll.Finished<MeasuredRows>() -> Poll.finished();
        };
    }

    @Override
    public void release() {
        rows.release();
    }

    @Override
    public void close() {
        rows.close();
    }
}
