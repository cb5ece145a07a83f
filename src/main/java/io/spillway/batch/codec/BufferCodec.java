package io.spillway.batch.codec;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Compresses buffers from memory to memory, in a format that Arrow names. Used by one thread at a
 * time. A codec keeps native memory, so they are lent and taken back: the process has as many as
 * ever worked at a time.
 */
public abstract sealed class BufferCodec permits Lz4Codec, ZstdCodec {

    private static final Queue<BufferCodec> FREE_LZ4 = new ConcurrentLinkedQueue<>();
    private static final Queue<BufferCodec> FREE_ZSTD = new ConcurrentLinkedQueue<>();

    /** A codec, to be {@linkplain #giveBack given back}. */
    public static BufferCodec borrow(Compression compression) {
        BufferCodec free = free(compression).poll();
        if (free != null) {
            return free;
        }
        return switch (compression) {
            case LZ4 -> new Lz4Codec();
            case ZSTD -> new ZstdCodec();
        };
    }

    /** Gives the codec back; it must not be used any more. */
    public final void giveBack() {
        free(compression()).add(this);
    }

    private static Queue<BufferCodec> free(Compression compression) {
        return switch (compression) {
            case LZ4 -> FREE_LZ4;
            case ZSTD -> FREE_ZSTD;
        };
    }

    /** What it does. */
    public abstract Compression compression();

    /** Arrow's number for it: {@code CompressionType}. */
    public abstract byte arrowType();

    /** The most that so many bytes can become. */
    public abstract long bound(long bytes);

    /**
     * Compresses.
     *
     * @param bytes above 0
     * @param to has room for the {@link #bound}
     * @return the number of bytes written
     */
    public abstract long compress(long from, long bytes, long to);

    /**
     * Decompresses; writes no more than {@code bytes}.
     *
     * @return whether the input was whole, and gave exactly {@code bytes}
     */
    public abstract boolean decompress(long from, long compressed, long to, long bytes);
}
