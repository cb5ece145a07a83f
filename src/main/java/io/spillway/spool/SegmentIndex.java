package io.spillway.spool;

import io.spillway.spill.BlockIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The end of a segment, little-endian: for each block its rows and its bytes; the number of blocks;
 * a CRC-32C (RFC 3720) of all that; the word {@value #MAGIC}.
 */
final class SegmentIndex {

    /** Bytes of what follows the blocks' entries. */
    static final int TRAILER = 12;

    /** Bytes of a block's entry. */
    private static final int ENTRY = 8;

    /** "SPX1". */
    private static final int MAGIC = 0x31585053;

    private SegmentIndex() {}

    /** The bytes of an index. */
    static ByteBuffer write(BlockIndex blocks) {
        ByteBuffer out =
                ByteBuffer.allocate(Math.addExact(ENTRY * blocks.size(), TRAILER))
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < blocks.size(); i++) {
            long end = i + 1 < blocks.size() ? blocks.firstRow(i + 1) : blocks.rows();
            out.putInt((int) (end - blocks.firstRow(i)));
            out.putInt((int) blocks.bytes(i));
        }
        out.putInt(blocks.size());
        out.putInt(checksum(out, 0, out.position()));
        out.putInt(MAGIC);
        return out.flip();
    }

    /**
     * Bytes of the index that a segment ends with; -1 if these are not the last bytes of one.
     *
     * @param trailer its last {@value #TRAILER} bytes
     */
    static long length(ByteBuffer trailer) {
        ByteBuffer in = trailer.slice().order(ByteOrder.LITTLE_ENDIAN);
        int blocks = in.getInt(0);
        return blocks < 0 || in.getInt(2 * Integer.BYTES) != MAGIC
                ? -1
                : (long) ENTRY * blocks + TRAILER;
    }

    /**
     * Reads an index.
     *
     * @param index all its bytes
     * @param start where the first block begins
     * @return null if it is not what was written
     */
    static @Nullable BlockIndex read(ByteBuffer index, long start) {
        ByteBuffer in = index.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (length(in.slice(in.limit() - TRAILER, TRAILER)) != in.limit()) {
            return null;
        }
        int blocks = (in.limit() - TRAILER) / ENTRY;
        int checked = ENTRY * blocks + Integer.BYTES;
        if (in.getInt(checked) != checksum(in, 0, checked)) {
            return null;
        }
        BlockIndex read = new BlockIndex(start);
        for (int i = 0; i < blocks; i++) {
            read.add(in.getInt(), in.getInt());
        }
        return read;
    }

    private static int checksum(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, length));
        return (int) crc.getValue();
    }
}
