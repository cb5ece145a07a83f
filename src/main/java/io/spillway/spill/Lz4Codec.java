package io.spillway.spill;

import io.spillway.batch.OffHeap;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.arrow.flatbuf.CompressionType;

/**
 * LZ4 frames, as Arrow wants them, of independent blocks without checksums (LZ4 Frame Format
 * Description, version 1.6.4). Reads what it writes, and nothing else.
 */
final class Lz4Codec extends Codec {

    private static final int MAGIC = 0x184D2204;

    /** Flags: version 1, independent blocks. Block size: 4 MiB. Checksum of these two. */
    private static final int DESCRIPTOR = 0x60 | 0x70 << 8 | 0x73 << 16;

    private static final int DESCRIPTOR_BYTES = 3;
    private static final int HEAD = Integer.BYTES + DESCRIPTOR_BYTES;
    private static final int BLOCK = 4 << 20;

    /** In a block's length: the block is not compressed. */
    private static final int STORED = 1 << 31;

    /** What a block may take more than its bytes: its length, and LZ4's own bound. */
    private static final int BLOCK_EXTRA = Integer.BYTES + BLOCK / 255 + 16;

    private static final LZ4Factory FACTORY = factory();
    private static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();

    private final LZ4Compressor compressor = compressor();

    /**
     * The native one wherever it loads; the library's own choice takes it only if the system's
     * class loader has loaded the library.
     */
    private static LZ4Factory factory() {
        try {
            return LZ4Factory.nativeInstance();
        } catch (LinkageError | RuntimeException e) {
            return LZ4Factory.fastestJavaInstance();
        }
    }

    /** One that does not clear its table for each of many small buffers, if there is one. */
    private static LZ4Compressor compressor() {
        try {
            return FACTORY.fastResetCompressor();
        } catch (UnsupportedOperationException e) {
            return FACTORY.fastCompressor();
        }
    }

    @Override
    Compression compression() {
        return Compression.LZ4;
    }

    @Override
    byte arrowType() {
        return CompressionType.LZ4_FRAME;
    }

    @Override
    long bound(long bytes) {
        long blocks = (bytes + BLOCK - 1) / BLOCK;
        long full = (blocks - 1) * BLOCK_EXTRA;
        long last = Integer.BYTES + (bytes - (blocks - 1) * BLOCK) / 255 + 16;
        return HEAD + bytes + full + last + Integer.BYTES;
    }

    @Override
    long compress(long from, long bytes, long to) {
        OffHeap.putInt(to, MAGIC);
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
                OffHeap.putInt(at, length | STORED);
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
    boolean decompress(long from, long compressed, long to, long bytes) {
        long end = from + compressed;
        if (compressed < HEAD + Integer.BYTES
                || OffHeap.getInt(from) != MAGIC
                || (OffHeap.getInt(from + Integer.BYTES) & 0xFFFFFF) != DESCRIPTOR) {
            return false;
        }
        long at = from + HEAD;
        long done = 0;
        while (end - at >= Integer.BYTES) {
            int word = OffHeap.getInt(at);
            at += Integer.BYTES;
            if (word == 0) {
                return at == end && done == bytes;
            }
            int length = word & ~STORED;
            int room = (int) Math.min(BLOCK, bytes - done);
            if (length > end - at) {
                return false;
            }
            int written = block(at, length, (word & STORED) != 0, to + done, room);
            if (written < 0) {
                return false;
            }
            at += length;
            done += written;
        }
        return false;
    }

    /** The bytes that a block gave, or -1. */
    private static int block(long from, int length, boolean stored, long to, int room) {
        if (stored) {
            if (length > room) {
                return -1;
            }
            OffHeap.copy(from, to, length);
            return length;
        }
        try {
            return DECOMPRESSOR.decompress(
                    OffHeap.view(from, length), 0, length, OffHeap.view(to, room), 0, room);
        } catch (LZ4Exception e) {
            return -1;
        }
    }
}
