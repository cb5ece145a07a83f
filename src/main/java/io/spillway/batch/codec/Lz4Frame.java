package io.spillway.batch.codec;

import io.spillway.batch.OffHeap;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;
import org.jspecify.annotations.Nullable;

/**
 * The descriptor of an LZ4 frame, and the checksums that it says there are.
 *
 * <pre>
 * magic | flags | block size | [bytes of the content, 8] | checksum | blocks … | 0 | [checksum, 4]
 * </pre>
 *
 * @param headBytes bytes in front of the first block
 * @param blockBytes the most that a block holds
 * @param contentBytes bytes of all blocks, or -1 if it is not told
 */
record Lz4Frame(
        int headBytes,
        int blockBytes,
        long contentBytes,
        boolean isLinked,
        boolean hasBlockChecksums,
        boolean hasContentChecksum) {

    static final int MAGIC = 0x184D2204;

    /** Bytes of the shortest descriptor, with the magic. */
    static final int LEAST = Integer.BYTES + 3;

    /** In a block's length: the block is not compressed. */
    static final int STORED = 1 << 31;

    private static final int VERSION = 0x40;
    private static final int VERSION_MASK = 0xC0;
    private static final int INDEPENDENT = 0x20;
    private static final int BLOCK_CHECKSUM = 0x10;
    private static final int CONTENT_SIZE = 0x08;
    private static final int CONTENT_CHECKSUM = 0x04;

    /** Reserved, and that there is a dictionary. */
    private static final int REFUSED = 0x03;

    /** Codes of block sizes, from 64 KiB on, each four times the one before. */
    private static final int LEAST_SIZE = 4;

    private static final XXHash32 HASH = XXHashFactory.fastestInstance().hash32();

    /** The descriptor of a frame, or null if it has none that can be read. */
    static @Nullable Lz4Frame read(long from, long end) {
        if (end - from < LEAST + Integer.BYTES || OffHeap.getInt(from) != MAGIC) {
            return null;
        }
        long descriptor = from + Integer.BYTES;
        int flags = OffHeap.getUnsignedByte(descriptor);
        int size = OffHeap.getUnsignedByte(descriptor + 1);
        boolean sized = (flags & CONTENT_SIZE) != 0;
        int bytes = 2 + (sized ? Long.BYTES : 0);
        if ((flags & VERSION_MASK) != VERSION
                || (flags & REFUSED) != 0
                || (size & 0x8F) != 0
                || size >>> 4 < LEAST_SIZE
                || end - descriptor < bytes + 1
                || OffHeap.getUnsignedByte(descriptor + bytes)
                        != (hash(descriptor, bytes) >>> 8 & 0xFF)) {
            return null;
        }
        return new Lz4Frame(
                Integer.BYTES + bytes + 1,
                1 << (8 + 2 * (size >>> 4)),
                sized ? OffHeap.getLong(descriptor + 2) & Long.MAX_VALUE : -1,
                (flags & INDEPENDENT) == 0,
                (flags & BLOCK_CHECKSUM) != 0,
                (flags & CONTENT_CHECKSUM) != 0);
    }

    /** Bytes behind each block. */
    int blockTail() {
        return hasBlockChecksums ? Integer.BYTES : 0;
    }

    /** Whether a block, with what is behind it, has its checksum. */
    boolean isWhole(long block, int length) {
        return !hasBlockChecksums || OffHeap.getInt(block + length) == hash(block, length);
    }

    /** Whether a frame ends as it should behind its last block. */
    boolean endsWell(long at, long end, long content, long bytes) {
        if (!hasContentChecksum) {
            return at == end;
        }
        return end - at == Integer.BYTES
                && bytes <= Integer.MAX_VALUE
                && OffHeap.getInt(at) == hash(content, (int) bytes);
    }

    private static int hash(long from, int bytes) {
        return HASH.hash(OffHeap.view(from, bytes), 0, bytes, 0);
    }
}
