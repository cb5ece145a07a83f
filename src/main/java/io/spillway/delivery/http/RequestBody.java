package io.spillway.delivery.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Scheduler;

/** The body of a post as it goes over the network: as often as asked for, each time the same. */
final class RequestBody {

    /**
     * What the network is given at a time: enough to keep it busy, and little beside what the
     * buffers of an encrypted connection hold.
     */
    private static final int CHUNK_BYTES = 64 << 10;

    private final Post post;
    private final boolean gzip;
    private final Loan loan;
    private final Scheduler work;

    /**
     * @param work where bodies are compressed
     */
    RequestBody(Post post, boolean gzip, Loan loan, Scheduler work) {
        this.post = post;
        this.gzip = gzip;
        this.loan = loan;
        this.work = work;
    }

    boolean gzip() {
        return gzip;
    }

    /** The body to be read here and now, by somebody who has the loan. */
    InputStream open() {
        return gzip ? new GzipInput(post.body()) : new PartsInput(post.body());
    }

    /**
     * The body as the network asks for it. Plain bodies are not copied.
     *
     * @return fails with {@link OverException} once the exchange has ended
     */
    Flux<ByteBuf> chunks() {
        return gzip
                ? Flux.<ByteBuf, GzipInput>generate(
                                () -> new GzipInput(post.body()), this::compress, GzipInput::close)
                        .subscribeOn(work)
                : Flux.generate(() -> new Pieces(post.body()), this::lend);
    }

    private Pieces lend(Pieces pieces, SynchronousSink<ByteBuf> sink) {
        if (!pieces.hasNext()) {
            sink.complete();
        } else if (loan.take()) {
            sink.next(new LentBuffer(loan, pieces.next()));
        } else {
            sink.error(new OverException());
        }
        return pieces;
    }

    private GzipInput compress(GzipInput input, SynchronousSink<ByteBuf> sink) {
        if (!loan.take()) {
            sink.error(new OverException());
            return input;
        }
        byte[] chunk = new byte[CHUNK_BYTES];
        int length = 0;
        try {
            for (int read = 0; read >= 0 && length < chunk.length; length += Math.max(0, read)) {
                read = input.read(chunk, length, chunk.length - length);
            }
        } finally {
            loan.giveBack();
        }
        if (length == 0) {
            sink.complete();
        } else {
            sink.next(Unpooled.wrappedBuffer(chunk, 0, length));
        }
        return input;
    }

    /** Buffers cut into chunks. */
    private static final class Pieces {

        private final List<ByteBuffer> parts;
        private int part;
        private int offset;

        Pieces(List<ByteBuffer> parts) {
            this.parts = parts;
            skipEmpty();
        }

        boolean hasNext() {
            return part < parts.size();
        }

        ByteBuffer next() {
            ByteBuffer current = parts.get(part);
            int length = Math.min(CHUNK_BYTES, current.remaining() - offset);
            ByteBuffer piece = current.slice(current.position() + offset, length);
            offset += length;
            skipEmpty();
            return piece;
        }

        private void skipEmpty() {
            while (hasNext() && offset == parts.get(part).remaining()) {
                part++;
                offset = 0;
            }
        }
    }

    /** The exchange has ended, and with it the right to read the body. */
    static final class OverException extends RuntimeException {
        OverException() {
            super("the exchange has ended", null, false, false);
        }
    }
}
