package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * The calls of an aggregation that keep words of each group, side by side in one state. A batch is
 * added in blocks that stay in the processor's cache, each call by call: rows that count are
 * chosen, their values loaded, and both handed to the call's {@link Kernel}.
 */
final class WordCalls {

    private static final int BLOCK = 1_024;

    private final List<Slot> slots = new ArrayList<>();
    private int bytes;

    private final int[] chosen = new int[BLOCK];
    private final int[] rowsOf = new int[BLOCK];
    private final long[] all = new long[BLOCK];
    private final long[] states = new long[BLOCK];
    private final long[] low = new long[BLOCK];
    private final long[] high = new long[BLOCK];

    /**
     * A call.
     *
     * @param offset where in a group's state its own begins
     * @param argument whose values are read, or -1
     */
    private record Slot(
            Kernel kernel,
            int offset,
            CallRows rows,
            int argument,
            ColumnType type,
            @Nullable ToDouble conversion) {

        /** Whether it reads just what another one has loaded. */
        boolean readsAs(Slot other) {
            return argument == other.argument && kernel.reads() == other.kernel.reads();
        }
    }

    /**
     * @param offset where in a group's state those of these calls begin
     */
    WordCalls(int offset) {
        this.bytes = offset;
    }

    /**
     * Adds a call.
     *
     * @return its number among these
     */
    int add(AggregateCall call, Kernel kernel, RowSchema input) {
        boolean reads = kernel.reads() != Kernel.Reads.NOTHING;
        ColumnType type = reads ? Kernels.argument(call, input).type() : call.type();
        slots.add(
                new Slot(
                        kernel,
                        bytes,
                        CallRows.of(call),
                        reads ? call.arguments().getFirst() : -1,
                        type,
                        kernel.reads() == Kernel.Reads.DOUBLES ? ToDouble.of(type) : null));
        bytes += kernel.bytes();
        return slots.size() - 1;
    }

    /** Bytes of a state, with what stands before. */
    int bytes() {
        return bytes;
    }

    /**
     * Adds rows, in their order.
     *
     * @param rows of the batch, of which the first {@code count} are added
     * @param ids groups of these rows
     */
    void add(
            RecordBatch batch,
            PlainColumns columns,
            int[] rows,
            int[] ids,
            int count,
            GroupStates groups) {
        if (slots.isEmpty()) {
            return;
        }
        List<CallRows.Bound> bound = new ArrayList<>(slots.size());
        long[] data = new long[slots.size()];
        for (int s = 0; s < data.length; s++) {
            Slot slot = slots.get(s);
            bound.add(slot.rows.bind(batch));
            if (slot.argument >= 0) {
                FieldVector vector = columns.vector(slot.argument);
                data[s] = vector.getValueCount() == 0 ? 0 : vector.getDataBuffer().memoryAddress();
            }
        }
        for (int from = 0; from < count; from += BLOCK) {
            int length = Math.min(BLOCK, count - from);
            groups.addresses(ids, from, length, all);
            block(bound, data, rows, from, length);
        }
    }

    private void block(List<CallRows.Bound> bound, long[] data, int[] rows, int from, int length) {
        @Nullable Slot before = null;
        int size = 0;
        for (int s = 0; s < slots.size(); s++) {
            Slot slot = slots.get(s);
            boolean same = before != null && before.rows.equals(slot.rows);
            if (!same) {
                size = choose(bound.get(s), rows, from, length);
            }
            if (slot.argument >= 0 && !(same && before != null && slot.readsAs(before))) {
                Words.load(slot.type, data[s], rowsOf, size, low, high);
                if (slot.conversion != null) {
                    slot.conversion.convert(low, high, size);
                }
            }
            slot.kernel.add(states, slot.offset, low, high, size);
            before = slot.argument < 0 && same ? before : slot;
        }
    }

    private int choose(CallRows.Bound bound, int[] rows, int from, int length) {
        if (bound.all()) {
            System.arraycopy(all, 0, states, 0, length);
            System.arraycopy(rows, from, rowsOf, 0, length);
            return length;
        }
        int size = bound.choose(rows, from, length, chosen);
        for (int i = 0; i < size; i++) {
            states[i] = all[chosen[i]];
            rowsOf[i] = rows[from + chosen[i]];
        }
        return size;
    }

    /** Adds to a state what another one has seen, whose rows come after its own. */
    void merge(long from, long to) {
        for (Slot slot : slots) {
            slot.kernel.merge(from + slot.offset, to + slot.offset);
        }
    }

    /** The results of a call for some groups, at most as many as a batch of results has. */
    void results(int call, int firstGroup, int count, GroupStates groups, ResultColumn to) {
        long[] addresses = new long[count];
        for (int i = 0; i < count; i++) {
            addresses[i] = groups.address(firstGroup + i);
        }
        Slot slot = slots.get(call);
        slot.kernel.results(addresses, slot.offset, count, to);
    }
}
