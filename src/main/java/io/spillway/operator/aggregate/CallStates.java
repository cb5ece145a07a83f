package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** What calls keep of groups that the caller numbers. */
final class CallStates implements AutoCloseable {

    private final BufferAllocator allocator;
    private final WordCalls words;
    private final List<StoredCall> stored = new ArrayList<>();
    private final GroupStates states;

    /** For each call its number among those of words, or -1 minus that among the stored ones. */
    private final int[] places;

    /**
     * @param header bytes of each state that are the caller's, before those of the calls
     */
    CallStates(
            List<AggregateCall> calls,
            RowSchema input,
            int header,
            BufferAllocator allocator,
            StateMemory memory) {
        this.allocator = allocator;
        words = new WordCalls(header);
        places = new int[calls.size()];
        List<AggregateCall> rest = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            Kernel kernel = Kernels.of(calls.get(i), input);
            if (kernel == null) {
                places[i] = -1 - rest.size();
                rest.add(calls.get(i));
            } else {
                places[i] = words.add(calls.get(i), kernel, input);
            }
        }
        int offset = words.bytes();
        for (AggregateCall call : rest) {
            stored.add(Kernels.stored(call, input, offset, allocator, memory));
            offset += Long.BYTES;
        }
        states = new GroupStates(Math.max(Long.BYTES, offset), allocator, memory);
    }

    GroupStates states() {
        return states;
    }

    /**
     * Makes room for rows of a batch.
     *
     * @param rows of the batch, of which the first {@code count} are added
     * @param ids groups of these rows
     * @return false if there is no memory for them
     */
    boolean reserve(RecordBatch batch, int[] rows, int[] ids, int count) {
        try {
            for (StoredCall call : stored) {
                if (!call.reserve(batch, rows, ids, count, states)) {
                    unreserve();
                    return false;
                }
            }
            return true;
        } catch (Throwable t) {
            unreserve();
            throw t;
        }
    }

    /** Gives back the room that has been made and not been used. */
    void unreserve() {
        stored.forEach(StoredCall::unreserve);
    }

    /** Adds the rows for which room has been made, in their order. */
    void add(RecordBatch batch, int[] rows, int[] ids, int count) {
        try (PlainColumns columns = new PlainColumns(batch, allocator)) {
            words.add(batch, columns, rows, ids, count, states);
        }
        for (StoredCall call : stored) {
            call.add(batch, rows, ids, count, states);
        }
    }

    /** Adds to a group what another one has seen, whose rows come after its own. */
    void merge(int from, int to) {
        words.merge(states.address(from), states.address(to));
        for (StoredCall call : stored) {
            call.merge(from, to, states);
        }
    }

    /** The results of groups {@code [from, from + count)}; the caller owns them. */
    ColumnVector results(int call, ColumnSchema schema, int from, int count) {
        if (places[call] < 0) {
            return stored.get(-1 - places[call]).results(from, count, states);
        }
        try (ResultColumn column = new ResultColumn(schema, count, allocator)) {
            words.results(places[call], from, count, states, column);
            return column.take();
        }
    }

    /** The columns of what stored calls {@link #save}. */
    List<ColumnSchema> savedColumns() {
        return stored.stream().flatMap(call -> call.savedColumns().stream()).toList();
    }

    /** What stored calls keep of groups, to which the words in the states belong. */
    void save(int from, int count, List<ColumnVector> to) {
        for (StoredCall call : stored) {
            to.addAll(call.save(from, count, states));
        }
    }

    /** Makes room for what was saved; false if there is no memory for it. */
    boolean reserveSaved(RecordBatch saved, int firstColumn) {
        int column = firstColumn;
        try {
            for (StoredCall call : stored) {
                if (!call.reserveSaved(saved, column)) {
                    unreserve();
                    return false;
                }
                column += call.savedColumns().size();
            }
            return true;
        } catch (Throwable t) {
            unreserve();
            throw t;
        }
    }

    /** Takes back what was saved, for which room has been made; the states are there already. */
    void load(RecordBatch saved, int firstColumn, int firstGroup) {
        int column = firstColumn;
        for (StoredCall call : stored) {
            call.load(saved, column, firstGroup, states);
            column += call.savedColumns().size();
        }
    }

    @Override
    public void close() {
        stored.forEach(StoredCall::close);
        states.close();
    }
}
