package io.spillway.spill;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What stands in front of each block, little-endian: the word {@value #MAGIC}, a CRC-32C (RFC 3720)
 * of all that follows it in the block, the bytes of the message, its rows, and the bytes that its
 * buffers take when they are decompressed.
 *
 * @param messageBytes of the Arrow message behind the header
 * @param rows in the block; {@value #SCHEMA} if the message is a schema
 * @param rawBytes that decoding takes
 */
record BlockHeader(int messageBytes, int rows, long rawBytes) {

    static final int BYTES = 24;

    /** In place of the rows of a block that holds a schema. */
    static final int SCHEMA = -1;

    /** "SPB1". */
    static final int MAGIC = 0x31425053;

    private static final int CHECKSUM_AT = 4;
    private static final int LENGTH_AT = 8;
    private static final int ROWS_AT = 12;
    private static final int RAW_AT = 16;

    /** Completes a block whose message is there already, at {@link #BYTES}. */
    void seal(ByteBuffer block) {
        block.order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(0, MAGIC);
        block.putInt(LENGTH_AT, messageBytes);
        block.putInt(ROWS_AT, rows);
        block.putLong(RAW_AT, rawBytes);
        block.putInt(CHECKSUM_AT, checksum(block));
    }

    /**
     * Checks a block.
     *
     * @param block from its first byte to its last
     * @throws SpillwayException {@code READ_FAILED} if it is not what was written
     */
    static BlockHeader check(ByteBuffer block) {
        ByteBuffer bytes = block.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < BYTES
                || bytes.getInt(0) != MAGIC
                || bytes.getInt(LENGTH_AT) != bytes.remaining() - BYTES
                || bytes.getInt(CHECKSUM_AT) != checksum(bytes)) {
            throw damaged(null);
        }
        return new BlockHeader(
                bytes.getInt(LENGTH_AT), bytes.getInt(ROWS_AT), bytes.getLong(RAW_AT));
    }

    private static int checksum(ByteBuffer block) {
        CRC32C crc = new CRC32C();
        crc.update(block.slice(LENGTH_AT, block.limit() - LENGTH_AT));
        return (int) crc.getValue();
    }

    static SpillwayException damaged(@Nullable Throwable cause) {
        return new SpillwayException(
                ErrorCode.READ_FAILED, "A block of rows on disk is damaged", cause);
    }
}
