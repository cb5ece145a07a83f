package io.spillway.web;

import io.spillway.encode.EncodedChunk;

/**
 * What a stream of rows consists of besides its rows: what stands before, between and after them.
 * One for each stream; one thread at a time.
 */
sealed interface Framing permits PlainFraming, EventFraming {

    /** Takes what is to be sent, in order. */
    interface Out {

        void text(byte[] text);

        /** Bytes {@code [from, to)} of a chunk, which is taken over. */
        void chunk(EncodedChunk chunk, int from, int to);
    }

    /** Further rows, in a chunk that is taken over. */
    void rows(EncodedChunk chunk, Out out);

    /** There are no more rows. */
    void end(Out out);

    /** The rows broke off. Whatever is still told of it, the stream is broken after that. */
    void failure(Throwable cause, Out out);

    /**
     * A second or so has gone by.
     *
     * @param now as {@link System#nanoTime()}
     * @param waiting the stream has sent all it has, and waits for rows
     */
    void tick(long now, boolean waiting, Out out);

    /** Whether {@link #tick} does anything. */
    boolean ticks();

    /** Drops what has not been sent. */
    void close();
}
