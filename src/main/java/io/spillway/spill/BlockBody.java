package io.spillway.spill;

import io.spillway.batch.OffHeap;
import io.spillway.batch.codec.BufferCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.BitVectorHelper;

/**
 * The fields and buffers of a block's message, one after the other. The block's checksum is right,
 * so this is what was written; still nothing outside of the block is read, whatever it says.
 */
final class BlockBody {

    private final RecordBatch batch;
    private final long address;
    private final long length;
    private final BufferCodec codec;
    private final FieldNode field = new FieldNode();
    private final Buffer buffer = new Buffer();
    private int nextField;
    private int nextBuffer;

    private BlockBody(RecordBatch batch, long address, long length, BufferCodec codec) {
        this.batch = batch;
        this.address = address;
        this.length = length;
        this.codec = codec;
    }

    /**
     * Reads the metadata.
     *
     * @param message from its first byte to its last
     * @param address of its first byte
     */
    static BlockBody of(ByteBuffer message, long address, BlockShape shape, BufferCodec codec) {
        int head = BlockEncoder.PREFIX;
        if (message.remaining() < head) {
            throw BlockHeader.damaged(null);
        }
        int metadata = message.order(ByteOrder.LITTLE_ENDIAN).getInt(Integer.BYTES);
        if (metadata < 0 || metadata > message.remaining() - head) {
            throw BlockHeader.damaged(null);
        }
        Message parsed = Message.getRootAsMessage(message.slice(head, metadata));
        RecordBatch batch =
                parsed.headerType() == MessageHeader.RecordBatch
                        ? (RecordBatch) parsed.header(new RecordBatch())
                        : null;
        if (batch == null
                || batch.nodesLength() != shape.fields()
                || batch.buffersLength() != shape.buffers()
                || batch.compression() == null
                || batch.compression().codec() != codec.arrowType()) {
            throw BlockHeader.damaged(null);
        }
        return new BlockBody(
                batch, address + head + metadata, message.remaining() - head - metadata, codec);
    }

    /** The number of values of the next field. */
    int field() {
        long values = batch.nodes(field, nextField++).length();
        if (values < 0 || values > Integer.MAX_VALUE) {
            throw BlockHeader.damaged(null);
        }
        return (int) values;
    }

    /** Goes back to the first field. */
    void rewind() {
        nextField = 0;
        nextBuffer = 0;
    }

    void skip(BlockShape shape) {
        nextField += shape.fields();
        nextBuffer += shape.buffers();
    }

    /**
     * Bytes that the next fields take decompressed, at most: a bitmap that was left out is taken to
     * be as long as the longest.
     */
    long room(BlockShape shape) {
        long longest = 0;
        for (int i = 0; i < shape.fields(); i++) {
            longest = Math.max(longest, batch.nodes(field, nextField + i).length());
        }
        long left =
                Math.max(
                        Integer.BYTES,
                        BitVectorHelper.getValidityBufferSizeFromCount(
                                (int) Math.min(longest, Integer.MAX_VALUE)));
        long sum = 0;
        for (int i = 0; i < shape.buffers(); i++) {
            place(nextBuffer + i);
            sum += BlockMessage.padded(buffer.length() == 0 ? left : rawLength());
        }
        return sum;
    }

    /** Bytes of the next buffer, decompressed; 0 if it was left out. */
    long bufferBytes() {
        place(nextBuffer);
        return buffer.length() == 0 ? 0 : rawLength();
    }

    /** Passes by the next buffer. */
    void skipBuffer() {
        nextBuffer++;
    }

    /** Decompresses the next buffer, which has {@code bytes} bytes, to an address. */
    void read(long to, long bytes) {
        place(nextBuffer++);
        if (bytes == 0) {
            return;
        }
        long from = address + buffer.offset();
        long data = from + BufferHead.BYTES;
        long size = buffer.length() - BufferHead.BYTES;
        long head = OffHeap.getLong(from);
        if (head == BufferHead.STORED) {
            OffHeap.copy(data, to, bytes);
            return;
        }
        int width = BufferHead.width(head);
        if (!(width == BufferHead.COMPRESSED
                ? codec.decompress(data, size, to, bytes)
                : BufferHead.canPack(width)
                        && PackedIntegers.unpack(data, size, to, bytes, width))) {
            throw BlockHeader.damaged(null);
        }
    }

    private void place(int index) {
        batch.buffers(buffer, index);
        if (buffer.offset() < 0
                || buffer.length() < 0
                || buffer.offset() > length - buffer.length()
                || (buffer.length() > 0 && buffer.length() < BufferHead.BYTES)) {
            throw BlockHeader.damaged(null);
        }
    }

    private long rawLength() {
        long head = OffHeap.getLong(address + buffer.offset());
        long bytes =
                head == BufferHead.STORED
                        ? buffer.length() - BufferHead.BYTES
                        : BufferHead.bytes(head);
        if (bytes > Integer.MAX_VALUE) {
            throw BlockHeader.damaged(null);
        }
        return bytes;
    }
}
