package io.spillway.expression;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;

/** Addresses of Arrow vectors, and vectors made from buffers. */
final class Vectors {

    private Vectors() {}

    /** The field of a result of a type; results are nullable and their names mean nothing. */
    static Field field(ColumnType type) {
        return new ColumnSchema("value", type, true).toArrow();
    }

    static long validity(FieldVector vector) {
        return vector.getValidityBuffer().memoryAddress();
    }

    static long data(FieldVector vector) {
        return vector.getDataBuffer().memoryAddress();
    }

    static long offsets(FieldVector vector) {
        return vector.getOffsetBuffer().memoryAddress();
    }

    /** Bytes of one value of a vector of fixed width. */
    static int width(FieldVector vector) {
        return ((BaseFixedWidthVector) vector).getTypeWidth();
    }

    /**
     * Buffers of some sizes, or none and the exception.
     *
     * @param sizes in bytes
     */
    static List<ArrowBuf> buffers(BufferAllocator allocator, long... sizes) {
        List<ArrowBuf> buffers = new ArrayList<>(sizes.length);
        try {
            for (long size : sizes) {
                buffers.add(allocator.buffer(Math.max(size, 1)));
            }
            return buffers;
        } catch (Throwable t) {
            buffers.forEach(ArrowBuf::close);
            throw t;
        }
    }

    /**
     * Puts buffers into a vector.
     *
     * @param vector empty; on failure closed
     * @param buffers in Arrow's order; taken over, also on failure
     */
    static FieldVector load(FieldVector vector, int rows, List<ArrowBuf> buffers) {
        try {
            vector.loadFieldBuffers(new ArrowFieldNode(rows, 0), buffers);
            return vector;
        } catch (Throwable t) {
            vector.close();
            throw t;
        } finally {
            buffers.forEach(ArrowBuf::close);
        }
    }

    /** Bytes that {@code rows} values of a fixed-width vector take. */
    static long dataBytes(FieldVector vector, int rows) {
        int width = width(vector);
        return width == 0 ? Bits.bytes(rows) : (long) width * rows;
    }

    /** A column of nulls. */
    static FieldVector nulls(Field field, int rows, BufferAllocator allocator) {
        return RunCopy.copy(field, new FieldVector[0], Runs.nulls(rows), allocator);
    }
}
