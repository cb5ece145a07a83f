package io.spillway.scan.parquet.codec;

import io.spillway.batch.OffHeap;
import net.jpountz.lz4.LZ4Exception;

/**
 * What the name LZ4 has stood for: blocks in the frame of Hadoop's streams, as parquet-java wrote
 * them, or one block without a frame, as parquet-cpp did. Nothing tells which it is. A page is
 * taken for Hadoop's where all lengths in its frame and all that it decompresses to agree with the
 * page's sizes, which a bare block practically never does; else for a block.
 *
 * <pre>
 * frame := (length of the block (4 bytes, big-endian), part*)*
 * part  := compressed length (4 bytes, big-endian), an LZ4 block
 * </pre>
 */
final class OldLz4Decompressor extends Decompressor {

    @Override
    public boolean isPlausible(long from, int compressed, int size) {
        return Lz4Decompressor.canBecome(compressed, size);
    }

    @Override
    public long decompress(long from, int compressed, long to, int size) {
        return isFrame(from, compressed, to, size)
                ? size
                : Lz4Decompressor.block(from, compressed, to, size);
    }

    /** Decompresses a frame, as far as it is one. */
    private static boolean isFrame(long from, int compressed, long to, int size) {
        long at = from;
        long end = from + compressed;
        int done = 0;
        while (at < end) {
            int blockLeft = length(at, end, size - done);
            at += Integer.BYTES;
            if (blockLeft < 0) {
                return false;
            }
            while (blockLeft > 0) {
                int part = length(at, end, end - at - Integer.BYTES);
                if (part <= 0) {
                    return false;
                }
                int written;
                try {
                    written = Lz4Decompressor.block(at + Integer.BYTES, part, to + done, blockLeft);
                } catch (LZ4Exception e) {
                    return false;
                }
                at += Integer.BYTES + part;
                done += written;
                blockLeft -= written;
                if (written == 0) {
                    return false;
                }
            }
        }
        return done == size;
    }

    /** A length that is not above a limit, or -1. */
    private static int length(long at, long end, long limit) {
        if (end - at < Integer.BYTES) {
            return -1;
        }
        int length = Integer.reverseBytes(OffHeap.getInt(at));
        return length <= limit ? length : -1;
    }
}
