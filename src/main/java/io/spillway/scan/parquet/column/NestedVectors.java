package io.spillway.scan.parquet.column;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Puts a nested vector together of those of its leaves, each of which is a copy of the tree with
 * one leaf only. Nodes above several leaves are taken from the first, and must be the same in the
 * others: where a file's levels disagree, its rows cannot be known.
 */
final class NestedVectors {

    private final BufferAllocator allocator;
    private final Place place;

    NestedVectors(BufferAllocator allocator, Place place) {
        this.allocator = allocator;
        this.place = place;
    }

    /**
     * @param field the column's
     * @param parts one vector for each leaf, of the same number of rows; stay the caller's
     * @return the caller's
     * @throws SpillwayException {@code FILE_CORRUPT} if leaves disagree, or a map has a null key
     */
    FieldVector join(Field field, ColumnNode root, List<FieldVector> parts) {
        FieldVector vector = field.createVector(allocator);
        try {
            join(root, parts, vector);
            return vector;
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    private void join(ColumnNode node, List<FieldVector> parts, FieldVector into) {
        FieldVector first = parts.getFirst();
        switch (node) {
            case ColumnNode.Leaf _ -> first.makeTransferPair(into).transfer();
            case ColumnNode.Struct struct -> {
                agree(parts);
                load(into, first.getValueCount(), List.of(first.getValidityBuffer()));
                List<FieldVector> inside = children(parts);
                List<FieldVector> fields = into.getChildrenFromFields();
                int leaf = 0;
                for (int i = 0; i < fields.size(); i++) {
                    ColumnNode field = struct.fields().get(i);
                    int leaves = field.leaves().size();
                    join(field, inside.subList(leaf, leaf + leaves), fields.get(i));
                    leaf += leaves;
                }
            }
            case ColumnNode.Repeated list -> {
                agree(parts);
                agreeOffsets(parts);
                List<ArrowBuf> buffers =
                        List.of(first.getValidityBuffer(), first.getOffsetBuffer());
                load(into, first.getValueCount(), buffers);
                FieldVector elements = into.getChildrenFromFields().getFirst();
                join(list.element(), children(parts), elements);
                if (list.field().type() instanceof ColumnType.MapOf) {
                    FieldVector keys = elements.getChildrenFromFields().getFirst();
                    if (keys.getNullCount() > 0) {
                        throw place.corrupt("A map has a null key");
                    }
                }
            }
        }
    }

    private static void load(FieldVector into, int count, List<ArrowBuf> buffers) {
        into.loadFieldBuffers(new ArrowFieldNode(count, 0), buffers);
    }

    private static List<FieldVector> children(List<FieldVector> parts) {
        List<FieldVector> children = new ArrayList<>(parts.size());
        for (FieldVector part : parts) {
            children.add(part.getChildrenFromFields().getFirst());
        }
        return children;
    }

    private void agree(List<FieldVector> parts) {
        FieldVector first = parts.getFirst();
        int count = first.getValueCount();
        for (FieldVector other : parts.subList(1, parts.size())) {
            if (other.getValueCount() != count
                    || !Bits.same(
                            first.getValidityBuffer().memoryAddress(),
                            other.getValidityBuffer().memoryAddress(),
                            count)) {
                throw disagreement();
            }
        }
    }

    private void agreeOffsets(List<FieldVector> parts) {
        FieldVector first = parts.getFirst();
        long bits = ((long) first.getValueCount() + 1) * ListVector.OFFSET_WIDTH * Byte.SIZE;
        for (FieldVector other : parts.subList(1, parts.size())) {
            if (!Bits.same(
                    first.getOffsetBuffer().memoryAddress(),
                    other.getOffsetBuffer().memoryAddress(),
                    bits)) {
                throw disagreement();
            }
        }
    }

    private SpillwayException disagreement() {
        return place.corrupt("Fields of one group disagree on where it is");
    }
}
