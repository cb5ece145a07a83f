package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.expression.Decode;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** All values, as a list. */
record ValueList(ColumnSchema schema, BufferAllocator allocator) implements ValueResult {

    @Override
    public boolean isSparse() {
        return false;
    }

    @Override
    public void look(long first, long count, Places to) {
        for (long i = 0; i < count; i++) {
            to.add(first + i);
        }
    }

    @Override
    public ColumnVector results(RecordBatch taken, List<Long> counts) {
        int groups = counts.size();
        ListVector list = (ListVector) schema.toArrow().createVector(allocator);
        try (ArrowBuf validity = allocator.buffer((groups + 7L) / 8);
                ArrowBuf offsets = allocator.buffer((groups + 1L) * Integer.BYTES)) {
            OffHeap.zero(validity.memoryAddress(), (groups + 7L) / 8);
            int end = 0;
            OffHeap.putInt(offsets.memoryAddress(), 0);
            for (int i = 0; i < groups; i++) {
                long count = counts.get(i);
                end += (int) count;
                OffHeap.putInt(offsets.memoryAddress() + 4L * (i + 1), end);
                if (count > 0) {
                    long at = validity.memoryAddress() + (i >>> 3);
                    OffHeap.putByte(at, (byte) (OffHeap.getByte(at) | 1 << (i & 7)));
                }
            }
            list.loadFieldBuffers(new ArrowFieldNode(groups, 0), List.of(validity, offsets));
            switch (taken.column(0)) {
                case ColumnVector.Plain(FieldVector vector) ->
                        vector.makeTransferPair(list.getDataVector()).transfer();
                case ColumnVector.Encoded encoded -> {
                    try (FieldVector vector = Decode.decode(encoded, allocator)) {
                        vector.makeTransferPair(list.getDataVector()).transfer();
                    }
                }
            }
            return new ColumnVector.Plain(list);
        } catch (Throwable t) {
            list.close();
            throw t;
        }
    }
}
