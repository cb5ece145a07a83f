package io.spillway.spool;

import io.spillway.batch.BatchStream;
import io.spillway.batch.OffHeap;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.spill.BlockDecoder;
import io.spillway.storage.ReadProfile;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a segment. Blocks are read in pieces, a piece ahead of the one that is decoded; the first
 * piece is small, since somebody waits for it.
 *
 * <pre>
 *   waiting:   [piece 1]  [piece 2     ]  [piece 3     ]
 *   a turn:               block block …    block block …
 * </pre>
 */
final class SpoolStream implements BatchStream {

    /** Bytes of a piece at most, unless one block has more. */
    private static final int PIECE_BYTES = 4 << 20;

    /** Makes what a reader sees of a failure. */
    interface Failing {

        /**
         * The failure in a reader's words.
         *
         * @param damage whether the file is not what was written, or is gone
         */
        SpillwayException of(SpillwayException failure, boolean damage);
    }

    private final SegmentFile file;
    private final BlockDecoder decoder;
    private final long to;
    private final int pieceBytes;
    private final BufferAllocator allocator;
    private final Executor waiting;
    private final LongConsumer bytesRead;
    private final Failing failing;
    private long next;
    private @Nullable Piece piece;
    private @Nullable CompletableFuture<Piece> loading;

    SpoolStream(
            SegmentFile file,
            BlockDecoder decoder,
            SpoolRange range,
            long pieceBytes,
            BufferAllocator allocator,
            Executor waiting,
            LongConsumer bytesRead,
            Failing failing) {
        this.file = file;
        this.decoder = decoder;
        this.next = range.from();
        this.to = range.to();
        this.pieceBytes = pieceBytes(file.files().profile(), pieceBytes);
        this.allocator = allocator;
        this.waiting = waiting;
        this.bytesRead = bytesRead;
        this.failing = failing;
    }

    /** As {@link Spool#bytesAhead}. */
    static long bytesAhead(SpoolManifest.Segment segment, ReadProfile profile, long pieceBytes) {
        // Arrow rounds up to powers of two.
        return 2 * roundUp(Math.max(pieceBytes(profile, pieceBytes), segment.blockBytes()))
                + roundUp(segment.rawBytes());
    }

    private static long roundUp(long bytes) {
        return Long.highestOneBit(Math.max(1, bytes - 1)) << 1;
    }

    private static int pieceBytes(ReadProfile profile, long most) {
        return (int) Math.min(most, Math.min(profile.aheadBytes(), PIECE_BYTES));
    }

    /**
     * Blocks {@code [first, end)} of an open file, in one buffer. Owns both, unless the file goes
     * on with the next piece.
     */
    private record Piece(SegmentFile.Opened file, int first, int end, ArrowBuf buffer) {

        /** Whether it has the block. */
        boolean has(int block) {
            return block >= first && block < end;
        }

        ByteBuffer block(int number) {
            long offset = file.index().offset(number) - file.index().offset(first);
            return OffHeap.view(buffer.memoryAddress() + offset, (int) file.index().bytes(number));
        }
    }

    @Override
    public RowSchema schema() {
        return decoder.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (next >= to) {
            release();
            return Poll.finished();
        }
        Piece current = piece;
        int block = current == null ? 0 : current.file.index().find(next);
        if (current == null || !current.has(block)) {
            CompletableFuture<Piece> load = loading;
            if (load == null) {
                load = load(null, 0, Math.min(pieceBytes, file.files().profile().gapBytes()));
                loading = load;
            }
            if (!load.isDone()) {
                return Poll.blocked(load);
            }
            current = take(load);
            block = current.file.index().find(next);
        }
        return Poll.output(decode(current, block));
    }

    /** The piece that was loaded becomes the one that is read, and the next one is loaded. */
    private Piece take(CompletableFuture<Piece> load) {
        loading = null;
        Piece last = piece;
        piece = null;
        if (last != null) {
            last.buffer.close();
        }
        Piece current = join(load);
        piece = current;
        if (current.end < current.file.index().size()
                && current.file.index().firstRow(current.end) < to) {
            loading = load(current.file, current.end, pieceBytes);
        }
        return current;
    }

    private static Piece join(CompletableFuture<Piece> load) {
        try {
            return load.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private RecordBatch decode(Piece current, int block) {
        long first = current.file.index().firstRow(block);
        RecordBatch batch;
        try {
            batch = decoder.decode(current.block(block), allocator);
        } catch (SpillwayException e) {
            throw failing.of(e, true);
        }
        int from = (int) (next - first);
        int end = (int) Math.min(to - first, batch.rowCount());
        next = first + end;
        if (from == 0 && end == batch.rowCount()) {
            return batch;
        }
        try (batch) {
            return batch.slice(from, end - from);
        }
    }

    /**
     * Reads a piece.
     *
     * @param open the file; null if it is to be opened, to read from {@link #next} on
     * @param bytes that the piece may have, if that is one block or more
     */
    private CompletableFuture<Piece> load(SegmentFile.@Nullable Opened open, int first, int bytes) {
        long row = next;
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return open == null ? open(row, bytes) : readOrClose(open, first, bytes);
                    } catch (SpillwayException e) {
                        throw failing.of(e, isDamage(e));
                    }
                },
                waiting);
    }

    private Piece open(long row, int bytes) {
        SegmentFile.Opened opened = file.open(bytesRead);
        return readOrClose(opened, opened.index().find(row), bytes);
    }

    private Piece readOrClose(SegmentFile.Opened from, int first, int bytes) {
        try {
            return read(from, first, bytes);
        } catch (Throwable t) {
            from.close();
            throw t;
        }
    }

    private Piece read(SegmentFile.Opened from, int first, int bytes) {
        int end = first + 1;
        long length = from.index().bytes(first);
        while (end < from.index().size()
                && from.index().firstRow(end) < to
                && length + from.index().bytes(end) <= bytes) {
            length += from.index().bytes(end++);
        }
        ArrowBuf buffer = allocator.buffer(length);
        try {
            from.reader()
                    .readFully(
                            from.index().offset(first),
                            OffHeap.view(buffer.memoryAddress(), Math.toIntExact(length)));
            bytesRead.accept(length);
            return new Piece(from, first, end, buffer);
        } catch (Throwable t) {
            buffer.close();
            throw t;
        }
    }

    private static boolean isDamage(SpillwayException e) {
        return e.code() == ErrorCode.FILE_NOT_FOUND
                || e.code() == ErrorCode.FILE_CORRUPT
                || e.code() == ErrorCode.SOURCE_CHANGED;
    }

    /** Drops what was read; the next pull opens the file again. */
    @Override
    public void release() {
        Piece current = piece;
        piece = null;
        CompletableFuture<Piece> load = loading;
        loading = null;
        if (current != null) {
            current.buffer.close();
        }
        if (load != null) {
            // It closes the file itself if it fails.
            var _ =
                    load.thenAccept(
                            late -> {
                                late.buffer.close();
                                late.file.close();
                            });
        } else if (current != null) {
            current.file.close();
        }
    }

    @Override
    public void close() {
        next = to;
        release();
    }
}
