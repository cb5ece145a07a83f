package io.spillway.batch.codec;

import io.spillway.batch.OffHeap;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.arrow.flatbuf.CompressionType;

/**
 * LZ4 frames, as Arrow wants them (LZ4 Frame Format Description, version 1.6.4). Writes independent
 * blocks without checksums; reads any frame that needs no dictionary.
 */
final class Lz4Codec extends BufferCodec {

    /** Flags: version 1, independent blocks. Block size: 4 MiB. Checksum of these two. */
    private static final int DESCRIPTOR = 0x60 | 0x70 << 8 | 0x73 << 16;

    private static final int HEAD = Lz4Frame.LEAST;
    private static final int BLOCK = 4 << 20;

    /** What a block may take more than its bytes: its length, and LZ4's own bound. */
    private static final int BLOCK_EXTRA = Integer.BYTES + BLOCK / 255 + 16;

    private static final LZ4SafeDecompressor DECOMPRESSOR = Lz4.FACTORY.safeDecompressor();

    private final LZ4Compressor compressor = compressor();

    /** One that does not clear its table for each of many small buffers, if there is one. */
    private static LZ4Compressor compressor() {
        try {
            return Lz4.FACTORY.fastResetCompressor();
        } catch (UnsupportedOperationException e) {
            return Lz4.FACTORY.fastCompressor();
        }
    }

    @Override
    public Compression compression() {
        return Compression.LZ4;
    }

    @Override
    public byte arrowType() {
        return CompressionType.LZ4_FRAME;
    }

    @Override
    public long bound(long bytes) {
        long blocks = (bytes + BLOCK - 1) / BLOCK;
        long full = (blocks - 1) * BLOCK_EXTRA;
        long last = Integer.BYTES + (bytes - (blocks - 1) * BLOCK) / 255 + 16;
        return HEAD + bytes + full + last + Integer.BYTES;
    }

    @Override
    public long compress(long from, long bytes, long to) {
        OffHeap.putInt(to, Lz4Frame.MAGIC);
        OffHeap.putInt(to + Integer.BYTES, DESCRIPTOR);
        long at = to + HEAD;
        for (long done = 0; done < bytes; ) {
            int length = (int) Math.min(BLOCK, bytes - done);
            int room = compressor.maxCompressedLength(length);
            long target = at + Integer.BYTES;
            int written =
                    compressor.compress(
                            OffHeap.view(from + done, length),
                            0,
                            length,
                            OffHeap.view(target, room),
                            0,
                            room);
            if (written < length) {
                OffHeap.putInt(at, written);
            } else {
                OffHeap.putInt(at, length | Lz4Frame.STORED);
                OffHeap.copy(from + done, target, length);
                written = length;
            }
            at = target + written;
            done += length;
        }
        OffHeap.putInt(at, 0);
        return at + Integer.BYTES - to;
    }

    @Override
    public boolean decompress(long from, long compressed, long to, long bytes) {
        long end = from + compressed;
        Lz4Frame frame = Lz4Frame.read(from, end);
        if (frame == null || (frame.contentBytes() >= 0 && frame.contentBytes() != bytes)) {
            return false;
        }
        long at = from + frame.headBytes();
        long done = 0;
        while (end - at >= Integer.BYTES) {
            int word = OffHeap.getInt(at);
            at += Integer.BYTES;
            if (word == 0) {
                return done == bytes && frame.endsWell(at, end, to, bytes);
            }
            int length = word & ~Lz4Frame.STORED;
            int room = (int) Math.min(frame.blockBytes(), bytes - done);
            if (length > end - at - frame.blockTail() || !frame.isWhole(at, length)) {
                return false;
            }
            int written = block(frame, at, length, (word & Lz4Frame.STORED) != 0, to, done, room);
            if (written < 0) {
                return false;
            }
            at += length + frame.blockTail();
            done += written;
        }
        return false;
    }

    /**
     * The bytes that a block gave, or -1.
     *
     * @param to where the frame's first byte went
     * @param done bytes of the blocks before
     */
    private static int block(
            Lz4Frame frame, long from, int length, boolean stored, long to, long done, int room) {
        if (stored) {
            if (length > room) {
                return -1;
            }
            OffHeap.copy(from, to + done, length);
            return length;
        }
        if (frame.isLinked() && done > 0) {
            return Lz4LinkedBlock.decompress(from, from + length, to, to + done, to + done + room);
        }
        try {
            return DECOMPRESSOR.decompress(
                    OffHeap.view(from, length), 0, length, OffHeap.view(to + done, room), 0, room);
        } catch (LZ4Exception e) {
            return -1;
        }
    }
}
