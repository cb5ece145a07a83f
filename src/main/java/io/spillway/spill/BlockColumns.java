package io.spillway.spill;

import io.spillway.batch.OffHeap;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Walks the fields and buffers of plain vectors in the order of an Arrow record batch: what there
 * is to write, and how much that is.
 */
final class BlockColumns {

    /** Takes fields and buffers, parents before children. */
    interface Visitor {

        void field(int length, int nulls);

        /**
         * A buffer.
         *
         * @param from address; of no meaning if there are no bytes
         * @param room bytes that the buffer takes when it is read, more than {@code bytes} if it
         *     can be left out
         * @param width bytes of each of its values, or 1
         */
        void buffer(long from, long bytes, long room, int width);
    }

    private BlockColumns() {}

    /** Whether all offsets of the first values count from 0, as they must to be written. */
    static boolean isNormal(FieldVector vector, int count) {
        return count == 0
                || switch (vector) {
                    case StructVector struct ->
                            struct.getChildrenFromFields().stream()
                                    .allMatch(child -> isNormal(child, count));
                    case ListVector list ->
                            offset(list, 0) == 0
                                    && isNormal(list.getDataVector(), offset(list, count));
                    case BaseVariableWidthVector bytes -> offset(bytes, 0) == 0;
                    case FieldVector _ -> true;
                };
    }

    /** Bytes of the buffers of the first values. */
    static long bytes(FieldVector vector, int count) {
        long validity = BitVectorHelper.getValidityBufferSizeFromCount(count);
        return validity
                + switch (vector) {
                    case StructVector struct -> {
                        long sum = 0;
                        for (FieldVector child : struct.getChildrenFromFields()) {
                            sum += bytes(child, count);
                        }
                        yield sum;
                    }
                    case ListVector list ->
                            offsetBytes(count)
                                    + bytes(
                                            list.getDataVector(),
                                            count == 0 ? 0 : offset(list, count));
                    case BaseVariableWidthVector bytes ->
                            offsetBytes(count)
                                    + (count == 0 ? 0 : offset(bytes, count) - offset(bytes, 0));
                    case BitVector _ -> validity;
                    case BaseFixedWidthVector fixed -> (long) fixed.getTypeWidth() * count;
                    default -> throw unknown(vector);
                };
    }

    /** Visits the first values of a {@linkplain #isNormal normal} vector. */
    static void visit(FieldVector vector, int count, Visitor visitor) {
        long bitmap = BitVectorHelper.getValidityBufferSizeFromCount(count);
        int nulls =
                count == 0 ? 0 : BitVectorHelper.getNullCount(vector.getValidityBuffer(), count);
        visitor.field(count, nulls);
        visitor.buffer(
                nulls == 0 ? 0 : vector.getValidityBuffer().memoryAddress(),
                nulls == 0 ? 0 : bitmap,
                bitmap,
                1);
        switch (vector) {
            case StructVector struct -> {
                List<FieldVector> children = struct.getChildrenFromFields();
                for (FieldVector child : children) {
                    visit(child, count, visitor);
                }
            }
            case ListVector list ->
                    visit(list.getDataVector(), visitOffsets(list, count, visitor), visitor);
            case BaseVariableWidthVector bytes ->
                    visitData(bytes, visitOffsets(bytes, count, visitor), 1, visitor);
            case BitVector bits -> visitData(bits, bitmap, 1, visitor);
            case BaseFixedWidthVector fixed ->
                    visitFixed(fixed, fixed.getTypeWidth(), count, visitor);
            default -> throw unknown(vector);
        }
    }

    /** Returns the last offset. Without values none is written: the one that there is is 0. */
    private static int visitOffsets(FieldVector vector, int count, Visitor visitor) {
        long room = offsetBytes(count);
        if (count == 0) {
            visitor.buffer(0, 0, room, Integer.BYTES);
            return 0;
        }
        visitor.buffer(vector.getOffsetBuffer().memoryAddress(), room, room, Integer.BYTES);
        return offset(vector, count);
    }

    private static void visitFixed(FieldVector vector, int width, int count, Visitor visitor) {
        visitData(vector, (long) width * count, width, visitor);
    }

    private static void visitData(FieldVector vector, long bytes, int width, Visitor visitor) {
        visitor.buffer(
                bytes == 0 ? 0 : vector.getDataBuffer().memoryAddress(), bytes, bytes, width);
    }

    static long offsetBytes(int count) {
        return (count + 1L) * Integer.BYTES;
    }

    private static int offset(FieldVector vector, int index) {
        return OffHeap.getInt(
                vector.getOffsetBuffer().memoryAddress() + (long) Integer.BYTES * index);
    }

    static IllegalArgumentException unknown(FieldVector vector) {
        return new IllegalArgumentException("a vector of " + vector.getMinorType());
    }
}
