package io.spillway.spill;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.batch.codec.BufferCodec;
import io.spillway.batch.codec.Compression;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Makes batches of the blocks of a {@link BlockEncoder}, all columns or some. A batch takes one
 * allocation, of which all its buffers are parts: a column that is kept keeps the others' memory.
 *
 * <p>Thread-safe.
 */
public final class BlockDecoder {

    private final Compression compression;
    private final BlockShape shape;
    private final BlockShape[] shapes;
    private final boolean[] wanted;
    private final RowSchema result;
    private final List<Field> fields;

    /** A decoder of all columns. */
    public BlockDecoder(RowSchema schema, Compression compression) {
        this(schema, compression, IntStream.range(0, schema.size()).boxed().toList());
    }

    /**
     * A decoder of some columns.
     *
     * @param schema of the blocks
     * @param columns positions of those to decode, ascending; the others cost nothing
     */
    public BlockDecoder(RowSchema schema, Compression compression, List<Integer> columns) {
        this.compression = compression;
        this.shape = BlockShape.of(schema);
        Set<Integer> chosen = new HashSet<>(columns);
        this.wanted = new boolean[schema.size()];
        this.shapes = new BlockShape[wanted.length];
        List<ColumnSchema> kept = new ArrayList<>();
        for (int i = 0; i < wanted.length; i++) {
            shapes[i] = BlockShape.of(schema.column(i).type());
            wanted[i] = chosen.contains(i);
            if (wanted[i]) {
                kept.add(schema.column(i));
            }
        }
        this.result = new RowSchema(kept);
        this.fields = kept.stream().map(ColumnSchema::toArrow).toList();
    }

    /** The columns of the batches. */
    public RowSchema schema() {
        return result;
    }

    /**
     * Decodes a block.
     *
     * @param block direct; its remaining bytes are the block
     * @param allocator for the batch
     * @return owned by the caller
     * @throws io.spillway.error.SpillwayException {@code READ_FAILED} if the block is not what was
     *     written
     */
    public RecordBatch decode(ByteBuffer block, BufferAllocator allocator) {
        BlockHeader header = BlockHeader.check(block);
        MemorySegment bytes = MemorySegment.ofBuffer(block);
        if (!bytes.isNative() || header.rows() < 0) {
            throw BlockHeader.damaged(null);
        }
        ByteBuffer message =
                block.slice(block.position() + BlockHeader.BYTES, header.messageBytes());
        BufferCodec codec = BufferCodec.borrow(compression);
        List<ColumnVector> columns = new ArrayList<>(fields.size());
        try {
            BlockBody body =
                    BlockBody.of(message, bytes.address() + BlockHeader.BYTES, shape, codec);
            try (ArrowBuf memory = allocator.buffer(room(body))) {
                BlockLoader loader = new BlockLoader(body, memory);
                for (int i = 0; i < wanted.length; i++) {
                    if (wanted[i]) {
                        FieldVector vector = fields.get(columns.size()).createVector(allocator);
                        columns.add(new ColumnVector.Plain(vector));
                        loader.load(vector, header.rows());
                    } else {
                        body.skip(shapes[i]);
                    }
                }
            }
            return new RecordBatch(result, columns, header.rows());
        } catch (IndexOutOfBoundsException e) {
            columns.forEach(ColumnVector::close);
            throw BlockHeader.damaged(e);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        } finally {
            codec.giveBack();
        }
    }

    /** Bytes that the wanted columns take; leaves the body at its beginning. */
    private long room(BlockBody body) {
        long sum = 0;
        for (int i = 0; i < wanted.length; i++) {
            sum += wanted[i] ? body.room(shapes[i]) : 0;
            body.skip(shapes[i]);
        }
        body.rewind();
        return sum;
    }
}
