package io.spillway.spill;

import io.spillway.batch.RowSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/** The block that a file begins with: an Arrow schema message. */
public final class BlockFormat {

    private BlockFormat() {}

    /** The block of a schema. */
    public static byte[] schema(RowSchema schema) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[BlockHeader.BYTES], 0, BlockHeader.BYTES);
        try {
            MessageSerializer.serialize(
                    new WriteChannel(Channels.newChannel(out)), schema.toArrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] block = out.toByteArray();
        new BlockHeader(block.length - BlockHeader.BYTES, BlockHeader.SCHEMA, 0)
                .seal(ByteBuffer.wrap(block));
        return block;
    }

    /**
     * Checks that a file begins as one of this schema does.
     *
     * @param block its first bytes, as many as {@link #schema} has
     * @throws io.spillway.error.SpillwayException {@code READ_FAILED} if not
     */
    public static void check(byte[] block, RowSchema schema) {
        if (!Arrays.equals(block, schema(schema))) {
            throw BlockHeader.damaged(null);
        }
    }
}
