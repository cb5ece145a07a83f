package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/** Bytes that columns take. */
final class BufferBytes {

    /** Buffers are powers of two, so that copies take less than twice what is in them. */
    private static final int ROUNDING = 2;

    /** Bytes that the buffers of a column of few values take beyond those in them. */
    private static final long SMALL = 64;

    private BufferBytes() {}

    /** What the buffers of vectors that were made by this process' own allocator take. */
    static long held(List<FieldVector> vectors) {
        long bytes = 0;
        for (FieldVector vector : vectors) {
            for (ArrowBuf buffer : vector.getBuffers(false)) {
                bytes += buffer.capacity();
            }
        }
        return bytes;
    }

    /** The most that a plain copy of some columns takes. */
    static long ofCopy(RecordBatch batch, int[] columns) {
        long bytes = 0;
        for (int column : columns) {
            bytes += ROUNDING * plain(batch.column(column)) + SMALL;
        }
        return bytes;
    }

    private static long plain(ColumnVector column) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> vector.getBufferSize();
            case ColumnVector.Encoded(IntVector indices, Dictionary dictionary) ->
                    decoded(indices, dictionary.values());
        };
    }

    private static long decoded(IntVector indices, FieldVector entries) {
        int rows = indices.getValueCount();
        long bytes = rows / Byte.SIZE + 1L;
        if (entries instanceof BaseFixedWidthVector fixed) {
            return bytes + (long) Math.max(1, fixed.getTypeWidth()) * rows;
        }
        if (!(entries instanceof BaseVariableWidthVector) || rows == 0) {
            return bytes + entries.getBufferSize() * (long) rows;
        }
        bytes += (rows + 1L) * Integer.BYTES;
        if (entries.getValueCount() == 0) {
            return bytes;
        }
        long data = indices.getDataBuffer().memoryAddress();
        long offsets = entries.getOffsetBuffer().memoryAddress();
        boolean nulls = indices.getNullCount() > 0;
        for (int i = 0; i < rows; i++) {
            if (!nulls || !indices.isNull(i)) {
                long at = offsets + 4L * OffHeap.getInt(data + 4L * i);
                bytes += OffHeap.getInt(at + 4) - OffHeap.getInt(at);
            }
        }
        return bytes;
    }
}
