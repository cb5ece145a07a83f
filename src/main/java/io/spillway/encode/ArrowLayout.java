package io.spillway.encode;

import com.google.flatbuffers.FlatBufferBuilder;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RowSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.Map;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/**
 * Where the buffers of a record batch stand in the body of its message (Arrow columnar format,
 * "Encapsulated message format" and "RecordBatch message"): one behind the other, each at a
 * multiple of eight bytes; fields and their buffers in the order of the schema, parents before
 * children.
 */
final class ArrowLayout {

    /** What a stream ends with: a message without metadata. */
    private static final byte[] END_OF_STREAM = {-1, -1, -1, -1, 0, 0, 0, 0};

    /** In front of a message: that it is one, and how long its metadata is. */
    static final int PREFIX = 8;

    private static final int CONTINUATION = -1;
    private static final int ALIGNMENT = 8;

    private final FlatBufferBuilder builder = new FlatBufferBuilder();
    private long[] nodes = new long[16];
    private long[] buffers = new long[32];
    private int nodeCount;
    private int bufferCount;
    private long body;

    void clear() {
        nodeCount = 0;
        bufferCount = 0;
        body = 0;
    }

    /**
     * Adds a field and its bitmap of validity.
     *
     * @return where the bitmap begins in the body
     */
    long field(int length, int nulls) {
        nodes = roomy(nodes, nodeCount);
        nodes[2 * nodeCount] = length;
        nodes[2 * nodeCount + 1] = nulls;
        nodeCount++;
        return buffer(Bits.bytes(length));
    }

    /**
     * Adds another buffer to the field added last.
     *
     * @return where it begins in the body
     */
    long buffer(long bytes) {
        long at = body;
        buffers = roomy(buffers, bufferCount);
        buffers[2 * bufferCount] = at;
        buffers[2 * bufferCount + 1] = bytes;
        bufferCount++;
        body = padded(at + bytes);
        return at;
    }

    /** Bytes of the body. */
    long body() {
        return body;
    }

    /** Writes zeros between the buffers. */
    void pad(long address) {
        for (int i = 0; i < bufferCount; i++) {
            long end = buffers[2 * i] + buffers[2 * i + 1];
            for (long at = end; at < padded(end); at++) {
                OffHeap.putByte(address + at, (byte) 0);
            }
        }
    }

    private static long[] roomy(long[] pairs, int count) {
        return 2 * count < pairs.length ? pairs : Arrays.copyOf(pairs, 2 * pairs.length);
    }

    private static long padded(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /**
     * What stands in front of the body: the message's metadata, with its length and padding.
     *
     * @param custom metadata of the user's own, perhaps none
     */
    byte[] head(int rows, Map<String, String> custom) {
        FlatBufferBuilder b = builder;
        b.clear();
        org.apache.arrow.flatbuf.RecordBatch.startNodesVector(b, nodeCount);
        for (int i = nodeCount - 1; i >= 0; i--) {
            FieldNode.createFieldNode(b, nodes[2 * i], nodes[2 * i + 1]);
        }
        int nodesAt = b.endVector();
        org.apache.arrow.flatbuf.RecordBatch.startBuffersVector(b, bufferCount);
        for (int i = bufferCount - 1; i >= 0; i--) {
            Buffer.createBuffer(b, buffers[2 * i], buffers[2 * i + 1]);
        }
        int buffersAt = b.endVector();
        org.apache.arrow.flatbuf.RecordBatch.startRecordBatch(b);
        org.apache.arrow.flatbuf.RecordBatch.addLength(b, rows);
        org.apache.arrow.flatbuf.RecordBatch.addNodes(b, nodesAt);
        org.apache.arrow.flatbuf.RecordBatch.addBuffers(b, buffersAt);
        int batchAt = org.apache.arrow.flatbuf.RecordBatch.endRecordBatch(b);
        int customAt = custom.isEmpty() ? 0 : custom(custom);
        Message.startMessage(b);
        Message.addHeaderType(b, MessageHeader.RecordBatch);
        Message.addHeader(b, batchAt);
        Message.addVersion(b, MetadataVersion.V5);
        Message.addBodyLength(b, body);
        if (!custom.isEmpty()) {
            Message.addCustomMetadata(b, customAt);
        }
        Message.finishMessageBuffer(b, Message.endMessage(b));
        byte[] metadata = b.sizedByteArray();
        int length = (int) padded(metadata.length);
        byte[] head = new byte[PREFIX + length];
        Words.INT.set(head, 0, CONTINUATION);
        Words.INT.set(head, Integer.BYTES, length);
        System.arraycopy(metadata, 0, head, PREFIX, metadata.length);
        return head;
    }

    private int custom(Map<String, String> pairs) {
        int[] at =
                pairs.entrySet().stream()
                        .mapToInt(
                                pair ->
                                        KeyValue.createKeyValue(
                                                builder,
                                                builder.createString(pair.getKey()),
                                                builder.createString(pair.getValue())))
                        .toArray();
        return Message.createCustomMetadataVector(builder, at);
    }

    /** The message that a stream begins with. */
    static byte[] schema(RowSchema schema) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            MessageSerializer.serialize(
                    new WriteChannel(Channels.newChannel(out)), schema.toArrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static byte[] endOfStream() {
        return END_OF_STREAM.clone();
    }
}
