package io.spillway.sink.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;

/**
 * The end of a file: metadata, its length in four bytes, and the magic number. parquet-java signs
 * it as its own work; readers that look for known faults of writers are told who wrote it.
 */
final class Footers {

    /** In the form that the format asks for; readers do not trust what they cannot take apart. */
    static final String CREATED_BY = "Spillway version 0.1.0 (build parquet-java 1.18.1)";

    private static final byte[] MAGIC = {'P', 'A', 'R', '1'};

    private Footers() {}

    /**
     * Signs a footer.
     *
     * @param tail the last bytes of a file, as parquet-java has made them: what stands before the
     *     metadata stays as it is
     */
    static byte[] signed(byte[] tail) throws IOException {
        int trailer = Integer.BYTES + MAGIC.length;
        int length =
                ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt(tail.length - trailer);
        int start = tail.length - trailer - length;
        FileMetaData metadata =
                Util.readFileMetaData(new ByteArrayInputStream(tail, start, length));
        metadata.setCreated_by(CREATED_BY);
        ByteArrayOutputStream signed = new ByteArrayOutputStream(tail.length + trailer);
        signed.write(tail, 0, start);
        Util.writeFileMetaData(metadata, signed);
        byte[] size =
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(signed.size() - start)
                        .array();
        signed.writeBytes(size);
        signed.writeBytes(MAGIC);
        return signed.toByteArray();
    }
}
