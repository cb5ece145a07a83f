package io.spillway.spill;

import io.spillway.batch.OffHeap;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Fills vectors with the buffers of a block, which all become parts of one buffer. */
final class BlockLoader {

    private final BlockBody body;
    private final ArrowBuf memory;
    private long used;

    /**
     * A loader.
     *
     * @param memory with room for all buffers; stays the caller's, vectors have references
     */
    BlockLoader(BlockBody body, ArrowBuf memory) {
        this.body = body;
        this.memory = memory;
    }

    /** Fills a vector and its children. */
    void load(FieldVector vector, int count) {
        if (body.field() != count) {
            throw BlockHeader.damaged(null);
        }
        ArrowBuf validity = validity(count);
        switch (vector) {
            case StructVector struct -> {
                fill(struct, count, validity);
                for (FieldVector child : struct.getChildrenFromFields()) {
                    load(child, count);
                }
            }
            case ListVector list -> {
                ArrowBuf offsets = offsets(count);
                fill(list, count, validity, offsets);
                load(list.getDataVector(), last(offsets, count));
            }
            case BaseVariableWidthVector bytes -> {
                ArrowBuf offsets = offsets(count);
                fill(bytes, count, validity, offsets, buffer(last(offsets, count)));
            }
            case BitVector bits ->
                    fill(
                            bits,
                            count,
                            validity,
                            buffer(BitVectorHelper.getValidityBufferSizeFromCount(count)));
            case BaseFixedWidthVector fixed ->
                    fill(fixed, count, validity, buffer((long) fixed.getTypeWidth() * count));
            default -> throw BlockColumns.unknown(vector);
        }
    }

    /** A bitmap of validity: all ones if it was left out. */
    private ArrowBuf validity(int count) {
        long bytes = BitVectorHelper.getValidityBufferSizeFromCount(count);
        if (body.bufferBytes() != 0) {
            return buffer(bytes);
        }
        ArrowBuf part = part(bytes);
        body.skipBuffer();
        OffHeap.fill(part.memoryAddress(), bytes, (byte) -1);
        return part;
    }

    /** Offsets: one zero if there are no values. */
    private ArrowBuf offsets(int count) {
        long bytes = BlockColumns.offsetBytes(count);
        if (count > 0) {
            return buffer(bytes);
        }
        ArrowBuf part = part(bytes);
        body.skipBuffer();
        OffHeap.zero(part.memoryAddress(), bytes);
        return part;
    }

    /** The next buffer, which must have so many bytes. */
    private ArrowBuf buffer(long bytes) {
        if (body.bufferBytes() != bytes) {
            throw BlockHeader.damaged(null);
        }
        ArrowBuf part = part(bytes);
        body.read(part.memoryAddress(), bytes);
        return part;
    }

    private ArrowBuf part(long bytes) {
        if (bytes < 0 || bytes > memory.capacity() - used) {
            throw BlockHeader.damaged(null);
        }
        ArrowBuf part = memory.slice(used, bytes);
        used += BlockMessage.padded(bytes);
        return part;
    }

    private static int last(ArrowBuf offsets, int count) {
        return OffHeap.getInt(offsets.memoryAddress() + (long) Integer.BYTES * count);
    }

    private static void fill(FieldVector vector, int count, ArrowBuf... buffers) {
        vector.loadFieldBuffers(new ArrowFieldNode(count, 0), List.of(buffers));
    }
}
