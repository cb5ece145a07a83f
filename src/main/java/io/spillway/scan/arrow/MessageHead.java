package io.spillway.scan.arrow;

import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an encapsulated message (Arrow columnar format, "Encapsulated message format"),
 * its lengths checked against the file.
 *
 * <pre>
 * FF FF FF FF | length, 4 bytes | metadata, padded | body
 * </pre>
 *
 * Before version 0.15 of Arrow, the first four bytes were not there.
 *
 * @param message throws {@link IndexOutOfBoundsException} where it is damaged
 * @param place of its first byte in the file
 * @param metadataBytes with the length in front
 * @param bodyBytes of its body, all in the file
 */
record MessageHead(Message message, long place, int metadataBytes, long bodyBytes) {

    private static final int CONTINUATION = -1;

    /** The first byte of the body. */
    long body() {
        return place + metadataBytes;
    }

    /** The byte behind the body. */
    long end() {
        return body() + bodyBytes;
    }

    /** Whether unions have a bitmap of validity. */
    boolean isOld() {
        return message.version() < MetadataVersion.V5;
    }

    /**
     * The message at a position, or null if the stream ends there, by its mark or by the file's
     * end.
     */
    static @Nullable MessageHead read(MetadataBytes bytes, long position) {
        Place place = bytes.place();
        if (position == bytes.size()) {
            return null;
        }
        int prefix = Integer.BYTES;
        int length = bytes.read(position, prefix).getInt(0);
        if (length == CONTINUATION) {
            length = bytes.read(position + prefix, Integer.BYTES).getInt(0);
            prefix += Integer.BYTES;
        }
        if (length == 0) {
            return null;
        }
        if (length < 0) {
            throw place.corrupt("A message has metadata of %,d bytes".formatted(length));
        }
        ByteBuffer metadata = bytes.read(position + prefix, length);
        try {
            Message message = Message.getRootAsMessage(metadata);
            checkVersion(message, place);
            long body = message.bodyLength();
            long at = position + prefix + length;
            if (body < 0 || body > bytes.size() - at) {
                throw place.corrupt(
                        "A message of %,d bytes at %,d does not fit: the file is cut or damaged,"
                                .formatted(body, at));
            }
            return new MessageHead(message, position, prefix + length, body);
        } catch (IndexOutOfBoundsException e) {
            throw place.corrupt(e);
        }
    }

    private static void checkVersion(Message message, Place place) {
        int version = message.version();
        if (version < MetadataVersion.V1 || version > MetadataVersion.V5) {
            throw place.corrupt("There is no version %d of metadata".formatted(version));
        }
        if (version < MetadataVersion.V4) {
            throw place.notSupported("Metadata of version %d".formatted(version + 1));
        }
    }

    /** Fills a table with the message's header, if it has one of that type. */
    <T extends Table> T header(byte type, T table, Place at) {
        if (message.headerType() != type || message.header(table) == null) {
            throw at.corrupt("A message is not of the type that it should be");
        }
        return table;
    }
}
