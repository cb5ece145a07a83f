package io.spillway.scan.parquet.codec;

import io.spillway.batch.OffHeap;
import org.jspecify.annotations.Nullable;

/**
 * The first blocks of a Zstandard frame, made a frame of their own: what they decompress to is what
 * the frame begins with. Blocks build on those before them, so a beginning is all that can be had
 * without the rest; and since it is a frame, it needs no state that a stream would keep between two
 * parts, and goes straight to where the page is.
 *
 * <pre>
 * frame      | header      | block | block | block | last block | checksum |
 * beginning      | header' | block | last  |
 * </pre>
 *
 * The new header tells neither size nor checksum, and is no longer than any other; it and the bit
 * that makes a block the last one stand within the compressed bytes while the beginning is in use
 * ({@link #open}), and what was there is put back ({@link #close}).
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878">RFC 8878</a>
 */
final class ZstdBeginning implements AutoCloseable {

    /** What a block decompresses to at most. */
    static final int BLOCK = 128 << 10;

    private static final int MAGIC = 0xFD2FB528;
    private static final int DICTIONARY_ID = 3;
    private static final int CHECKSUM = 4;
    private static final int CHECKSUM_BYTES = 4;
    private static final int RESERVED = 8;
    private static final int SINGLE_SEGMENT = 32;
    private static final int CONTENT_SIZE_BIT = 6;
    private static final int SHORT_SIZE_OFFSET = 256;

    /** Magic number, descriptor, window. */
    private static final int HEADER_BYTES = 6;

    private static final int WINDOW_BIT = 3;
    private static final int LEAST_WINDOW_LOG = 10;

    private static final int BLOCK_HEADER_BYTES = 3;
    private static final int RLE = 1;
    private static final int RESERVED_BLOCK = 3;

    /** Where the new header starts, the header of the last block, and the byte after that block. */
    private final long start;

    private final long lastBlock;
    private final long end;

    private final byte[] before = new byte[HEADER_BYTES];
    private final byte lastBlockBefore;

    private ZstdBeginning(long start, int window, long lastBlock, long end) {
        this.start = start;
        this.lastBlock = lastBlock;
        this.end = end;
        this.lastBlockBefore = OffHeap.getByte(lastBlock);
        OffHeap.read(start, before, 0, HEADER_BYTES);
        OffHeap.putInt(start, MAGIC);
        OffHeap.putByte(start + 4, (byte) 0);
        OffHeap.putByte(start + 5, (byte) window);
        OffHeap.putByte(lastBlock, (byte) (lastBlockBefore | 1));
    }

    /**
     * Makes a beginning of compressed bytes that are one whole frame.
     *
     * @param size what the frame decompresses to
     * @param least bytes that the beginning should decompress to; it may be fewer
     * @return null if the bytes are anything else, or if the whole is not much more
     */
    static @Nullable ZstdBeginning open(long from, int compressed, int size, int least) {
        long to = from + compressed;
        if (compressed < HEADER_BYTES || OffHeap.getInt(from) != MAGIC) {
            return null;
        }
        int descriptor = OffHeap.getUnsignedByte(from + 4);
        boolean single = (descriptor & SINGLE_SEGMENT) != 0;
        int sizeBytes = descriptor >>> CONTENT_SIZE_BIT;
        sizeBytes = sizeBytes == 0 ? single ? 1 : 0 : 1 << sizeBytes;
        long sizeAt = from + (single ? 5 : 6);
        long blocks = sizeAt + sizeBytes;
        if ((descriptor & (DICTIONARY_ID | RESERVED)) != 0
                || blocks > to
                || (sizeBytes > 0 && contentSize(sizeAt, sizeBytes) != size)) {
            return null;
        }
        int window = single ? window(size) : OffHeap.getUnsignedByte(from + 5);
        long blocksEnd = to - ((descriptor & CHECKSUM) == 0 ? 0 : CHECKSUM_BYTES);
        return cut(blocks, blocksEnd, window, size, least);
    }

    private static long contentSize(long at, int bytes) {
        return switch (bytes) {
            case 1 -> OffHeap.getUnsignedByte(at);
            case 2 -> (OffHeap.getShort(at) & 0xFFFF) + SHORT_SIZE_OFFSET;
            case 4 -> OffHeap.getInt(at) & 0xFFFFFFFFL;
            default -> OffHeap.getLong(at);
        };
    }

    /** The least window that holds so many bytes, as a descriptor. */
    private static int window(int size) {
        int log = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, size - 1));
        return Math.max(0, log - LEAST_WINDOW_LOG) << WINDOW_BIT;
    }

    /**
     * Walks over all blocks, which must end where the frame does, and ends the beginning behind the
     * first that is likely to give what is asked for.
     */
    private static @Nullable ZstdBeginning cut(
            long blocks, long blocksEnd, int window, int size, int least) {
        long bytes = blocksEnd - blocks;
        long cut = 0;
        long cutEnd = 0;
        long most = 0;
        boolean last = false;
        for (long at = blocks; !last; ) {
            if (blocksEnd - at < BLOCK_HEADER_BYTES) {
                return null;
            }
            int header =
                    (OffHeap.getShort(at) & 0xFFFF) | OffHeap.getUnsignedByte(at + 2) << Short.SIZE;
            last = (header & 1) != 0;
            int type = header >>> 1 & 3;
            int length = header >>> 3;
            long next = at + BLOCK_HEADER_BYTES + (type == RLE ? 1 : length);
            if (type == RESERVED_BLOCK || next > blocksEnd) {
                return null;
            }
            most += BLOCK;
            if (cut == 0 && most >= least && (next - blocks) * size >= bytes * least) {
                cut = at;
                cutEnd = next;
            }
            at = next;
            if (last && at != blocksEnd) {
                return null;
            }
        }
        boolean muchLess = cut != 0 && (cutEnd - blocks) * 4 < bytes * 3;
        return muchLess ? new ZstdBeginning(blocks - HEADER_BYTES, window, cut, cutEnd) : null;
    }

    /** Where the beginning is. */
    long address() {
        return start;
    }

    /** Its length. */
    int length() {
        return (int) (end - start);
    }

    /** Puts back what the compressed bytes were. */
    @Override
    public void close() {
        OffHeap.write(before, 0, start, HEADER_BYTES);
        OffHeap.putByte(lastBlock, lastBlockBefore);
    }
}
