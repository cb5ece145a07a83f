package io.spillway.spill;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.batch.codec.BufferCodec;
import io.spillway.batch.codec.Compression;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Makes blocks of batches. A block is a {@link BlockHeader} and an Arrow IPC message: a record
 * batch whose buffers are compressed as Arrow describes it ("Compression" of the format), each by
 * itself, straight from the vector into the block; integers that become a quarter smaller so are
 * {@linkplain PackedIntegers packed} instead, which Arrow does not know. Small buffers, and those
 * that do not get smaller, stand as they are. A bitmap of validity without a 0 is left out.
 *
 * <p>A batch is one block, or several where that would take more than {@value #RAW_BYTES} bytes
 * before compression; one row may have more. Dictionary-encoded columns become plain.
 *
 * <p>Not thread-safe.
 */
public final class BlockEncoder {

    /**
     * Bytes of a block's buffers, unless one row has more. With what compression may add, a block
     * fits in half a MiB: Arrow allocates by powers of two.
     */
    static final int RAW_BYTES = 448 << 10;

    /** In front of the metadata: that a message begins, and the metadata's length. */
    static final int PREFIX = 8;

    /** Buffers below this are not compressed. */
    private static final int WORTH_IT = 64;

    /** Of how many blocks one is tried with, once compressing a buffer has not been worth it. */
    private static final int TRIED = 16;

    private static final int CONTINUATION = -1;

    private final Compression compression;
    private final DictionaryDecoder decoder;
    private final BlockShape shape;
    private final PackedIntegers integers = new PackedIntegers();

    /** For each buffer, how many blocks are to come before it is compressed again. */
    private final int[] pauses;

    /** Takes a block, which stays the encoder's. */
    @FunctionalInterface
    public interface Sink {

        void accept(EncodedBlock block);
    }

    public BlockEncoder(RowSchema schema, Compression compression, DictionaryDecoder decoder) {
        this.compression = compression;
        this.decoder = decoder;
        this.shape = BlockShape.of(schema);
        this.pauses = new int[shape.buffers()];
    }

    /**
     * Forgets what was worth while: what comes next is encoded to the bytes to which an encoder
     * that has seen nothing would encode it.
     */
    public void reset() {
        Arrays.fill(pauses, 0);
    }

    /**
     * Encodes a batch, which stays the caller's. Of a batch without rows comes one block without
     * rows.
     *
     * @param allocator for the blocks, one at a time, and for copies of what cannot be written as
     *     it stands
     * @throws SpillwayException {@code MEMORY_LIMIT} if a row takes more than 2 GiB; what the sink
     *     throws
     */
    public void encode(RecordBatch batch, BufferAllocator allocator, Sink sink) {
        long bytes = bytes(batch);
        int rows = batch.rowCount();
        if (bytes <= RAW_BYTES || rows <= 1) {
            encodeWhole(batch, allocator, sink);
            return;
        }
        long parts = Math.min(rows, (bytes + RAW_BYTES - 1) / RAW_BYTES);
        for (long i = 0; i < parts; i++) {
            int from = (int) (rows * i / parts);
            int to = (int) (rows * (i + 1) / parts);
            try (RecordBatch part = batch.slice(from, to - from)) {
                encode(part, allocator, sink);
            }
        }
    }

    /** Bytes that the columns take in plain form; of dictionaries with nested entries, about. */
    private static long bytes(RecordBatch batch) {
        long sum = 0;
        for (int i = 0; i < batch.schema().size(); i++) {
            sum +=
                    switch (batch.column(i)) {
                        case ColumnVector.Plain(FieldVector vector) ->
                                BlockColumns.bytes(vector, batch.rowCount());
                        case ColumnVector.Encoded encoded -> DictionaryBytes.of(encoded);
                    };
        }
        return sum;
    }

    private void encodeWhole(RecordBatch batch, BufferAllocator allocator, Sink sink) {
        int rows = batch.rowCount();
        List<ColumnVector> made = new ArrayList<>();
        BufferCodec codec = BufferCodec.borrow(compression);
        try {
            List<FieldVector> columns = new ArrayList<>(batch.schema().size());
            for (int i = 0; i < batch.schema().size(); i++) {
                columns.add(plain(batch.column(i), allocator, made));
            }
            Sizes sizes = new Sizes(codec);
            columns.forEach(column -> BlockColumns.visit(column, rows, sizes));
            BlockMessage message = new BlockMessage(shape, codec.arrowType());
            int head = BlockHeader.BYTES + PREFIX + message.bound();
            if (head + sizes.bound > Integer.MAX_VALUE) {
                throw new SpillwayException(
                                ErrorCode.MEMORY_LIMIT,
                                "A row of %,d bytes is too large to be written"
                                        .formatted(sizes.bound))
                        .with(SpillwayException.LIMIT, Integer.MAX_VALUE);
            }
            try (ArrowBuf buffer = allocator.buffer(head + sizes.bound)) {
                Body body = new Body(codec, message, buffer.memoryAddress() + head);
                columns.forEach(column -> BlockColumns.visit(column, rows, body));
                EncodedBlock block =
                        new EncodedBlock(
                                buffer, Math.toIntExact(head + body.length), rows, sizes.room);
                writeHead(block, message.metadata(rows, body.length), head);
                new BlockHeader(block.length() - BlockHeader.BYTES, rows, block.rawBytes())
                        .seal(block.bytes());
                sink.accept(block);
            }
        } finally {
            codec.giveBack();
            made.forEach(ColumnVector::close);
        }
    }

    /**
     * A column's values in plain form, counted from 0.
     *
     * @param made takes what had to be made for that
     */
    private FieldVector plain(
            ColumnVector column, BufferAllocator allocator, List<ColumnVector> made) {
        FieldVector vector =
                switch (column) {
                    case ColumnVector.Plain(FieldVector values) -> values;
                    case ColumnVector.Encoded encoded -> {
                        FieldVector values = decoder.decode(encoded, allocator);
                        made.add(new ColumnVector.Plain(values));
                        yield values;
                    }
                };
        int count = column.size();
        if (BlockColumns.isNormal(vector, count)) {
            return vector;
        }
        ColumnVector.Plain moved =
                (ColumnVector.Plain) new ColumnVector.Plain(vector).slice(0, count);
        made.add(moved);
        return moved.vector();
    }

    private static void writeHead(EncodedBlock block, byte[] metadata, int head) {
        long at = block.buffer().memoryAddress() + BlockHeader.BYTES;
        int room = head - BlockHeader.BYTES - PREFIX;
        OffHeap.putInt(at, CONTINUATION);
        OffHeap.putInt(at + Integer.BYTES, room);
        OffHeap.write(metadata, 0, at + PREFIX, metadata.length);
        OffHeap.zero(at + PREFIX + metadata.length, room - metadata.length);
    }

    /** Adds up what the buffers may take. */
    private static final class Sizes implements BlockColumns.Visitor {

        private final BufferCodec codec;
        private long bound;
        private long room;

        Sizes(BufferCodec codec) {
            this.codec = codec;
        }

        @Override
        public void field(int length, int nulls) {}

        @Override
        public void buffer(long from, long bytes, long decoded, int width) {
            room += BlockMessage.padded(decoded);
            bound +=
                    bytes == 0
                            ? 0
                            : BlockMessage.padded(
                                    BufferHead.BYTES + Math.max(bytes, codec.bound(bytes)));
        }
    }

    /** Writes the buffers. */
    private final class Body implements BlockColumns.Visitor {

        private final BufferCodec codec;
        private final BlockMessage message;
        private final long address;
        private long length;
        private int number;

        Body(BufferCodec codec, BlockMessage message, long address) {
            this.codec = codec;
            this.message = message;
            this.address = address;
        }

        @Override
        public void field(int values, int nulls) {
            message.field(values, nulls);
        }

        @Override
        public void buffer(long from, long bytes, long decoded, int width) {
            long written = bytes == 0 ? 0 : write(from, bytes, width, address + length);
            message.buffer(length, written);
            number++;
            long end = length + written;
            length = BlockMessage.padded(end);
            for (long at = end; at < length; at++) {
                OffHeap.putByte(address + at, (byte) 0);
            }
        }

        private long write(long from, long bytes, int width, long to) {
            long data = to + BufferHead.BYTES;
            if (bytes >= WORTH_IT && BufferHead.canPack(width)) {
                long packed = integers.pack(from, bytes, width, data);
                if (packed >= 0) {
                    OffHeap.putLong(to, BufferHead.packed(bytes, width));
                    return BufferHead.BYTES + packed;
                }
            }
            if (bytes >= WORTH_IT && pauses[number]-- == 0) {
                long compressed = codec.compress(from, bytes, data);
                pauses[number] = compressed < bytes - bytes / 8 ? 0 : TRIED;
                if (compressed < bytes) {
                    OffHeap.putLong(to, BufferHead.compressed(bytes));
                    return BufferHead.BYTES + compressed;
                }
            }
            OffHeap.putLong(to, BufferHead.STORED);
            OffHeap.copy(from, data, bytes);
            return BufferHead.BYTES + bytes;
        }
    }
}
