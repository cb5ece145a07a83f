package io.spillway.spill;

import com.google.flatbuffers.FlatBufferBuilder;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;

/**
 * The metadata of a record batch message (Arrow columnar format, "RecordBatch message"), which says
 * where its buffers stand in the body.
 */
final class BlockMessage {

    /** Of buffers in the body, and of the metadata. */
    static final int ALIGNMENT = 8;

    private final FlatBufferBuilder builder = new FlatBufferBuilder();
    private final byte compression;
    private final long[] fields;
    private final long[] buffers;
    private int fieldCount;
    private int bufferCount;

    /**
     * A message.
     *
     * @param compression Arrow's number of the codec
     */
    BlockMessage(BlockShape shape, byte compression) {
        this.compression = compression;
        this.fields = new long[2 * shape.fields()];
        this.buffers = new long[2 * shape.buffers()];
    }

    static long padded(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    void clear() {
        fieldCount = 0;
        bufferCount = 0;
    }

    void field(int length, int nulls) {
        fields[2 * fieldCount] = length;
        fields[2 * fieldCount + 1] = nulls;
        fieldCount++;
    }

    /** Adds a buffer by its place in the body. */
    void buffer(long offset, long length) {
        buffers[2 * bufferCount] = offset;
        buffers[2 * bufferCount + 1] = length;
        bufferCount++;
    }

    /** Bytes that the metadata takes at most, whatever it says. */
    int bound() {
        return (int) padded(metadata(1, 1).length);
    }

    /** The metadata, not padded. */
    byte[] metadata(int rows, long body) {
        FlatBufferBuilder b = builder;
        b.clear();
        RecordBatch.startNodesVector(b, fields.length / 2);
        for (int i = fields.length / 2 - 1; i >= 0; i--) {
            FieldNode.createFieldNode(b, fields[2 * i], fields[2 * i + 1]);
        }
        int fieldsAt = b.endVector();
        RecordBatch.startBuffersVector(b, buffers.length / 2);
        for (int i = buffers.length / 2 - 1; i >= 0; i--) {
            Buffer.createBuffer(b, buffers[2 * i], buffers[2 * i + 1]);
        }
        int buffersAt = b.endVector();
        int compressionAt =
                BodyCompression.createBodyCompression(b, compression, BodyCompressionMethod.BUFFER);
        RecordBatch.startRecordBatch(b);
        RecordBatch.addLength(b, rows);
        RecordBatch.addNodes(b, fieldsAt);
        RecordBatch.addBuffers(b, buffersAt);
        RecordBatch.addCompression(b, compressionAt);
        int batchAt = RecordBatch.endRecordBatch(b);
        Message.startMessage(b);
        Message.addHeaderType(b, MessageHeader.RecordBatch);
        Message.addHeader(b, batchAt);
        Message.addVersion(b, MetadataVersion.V5);
        Message.addBodyLength(b, body);
        Message.finishMessageBuffer(b, Message.endMessage(b));
        return b.sizedByteArray();
    }
}
