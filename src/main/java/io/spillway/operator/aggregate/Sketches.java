package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.KeyHash;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.jspecify.annotations.Nullable;

/**
 * About how many different values there are: of a few their hashes, of more a HyperLogLog sketch of
 * Apache DataSketches, which is 1.6 % off at one standard error.
 *
 * <pre>
 *   word of the state   0 none, else kind (1, 2: few or some hashes, 3: sketch) and slot
 *   slot of hashes      how many, hashes
 *   slot of a sketch    the sketch as it is updated
 * </pre>
 *
 * What is kept is a set: adding a value again changes nothing, and the estimate does not depend on
 * the order of values.
 */
final class Sketches implements StoredCall {

    private static final ColumnSchema SAVED =
            new ColumnSchema("sketch", new ColumnType.Binary(), true);

    /** Of the hashes of values: neither that of tables nor one of partitions. */
    private static final int HASH_LEVEL = 64;

    private static final int LOG_K = 12;
    private static final TgtHllType TYPE = TgtHllType.HLL_8;
    private static final int SKETCH_BYTES =
            (HllSketch.getMaxUpdatableSerializationBytes(LOG_K, TYPE) + 7) & -8;

    private static final int FEW = 4;
    private static final int SOME = 24;

    private static final int SKETCH = 3;
    private static final int KIND_SHIFT = 32;

    /** Sketches that are kept open. */
    private static final int OPEN = 256;

    private final CallRows counted;
    private final int offset;
    private final BufferAllocator allocator;
    private final KeyEncoder encoder;

    /** By kind, less one. */
    private final List<Slots> slots;

    private final @Nullable HllSketch[] open = new HllSketch[OPEN];
    private final int[] openSlots = new int[OPEN];
    private int[] chosen = new int[0];
    private long[] hashes = new long[0];

    Sketches(
            AggregateCall call,
            RowSchema input,
            int offset,
            BufferAllocator allocator,
            StateMemory memory) {
        this.counted = CallRows.of(call);
        this.offset = offset;
        this.allocator = allocator;
        this.encoder = KeyEncoder.equal(call.arguments(), input, allocator);
        this.slots =
                List.of(
                        new Slots((1 + FEW) * Long.BYTES, allocator, memory),
                        new Slots((1 + SOME) * Long.BYTES, allocator, memory),
                        new Slots(SKETCH_BYTES, allocator, memory));
    }

    /** Adds what there is room for: what is added again later changes nothing. */
    @Override
    public boolean reserve(
            RecordBatch batch, int[] rows, int[] ids, int count, GroupStates states) {
        if (chosen.length < count) {
            chosen = new int[count];
        }
        if (hashes.length < batch.rowCount()) {
            hashes = new long[batch.rowCount()];
        }
        int size = counted.bind(batch).choose(rows, 0, count, chosen);
        try (EncodedKeys keys = encoder.encode(batch)) {
            KeyHash.of(keys, HASH_LEVEL, hashes);
        }
        for (int i = 0; i < size; i++) {
            long at = states.address(ids[chosen[i]]) + offset;
            if (!add(at, hashes[rows[chosen[i]]])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void unreserve() {}

    @Override
    public void add(RecordBatch batch, int[] rows, int[] ids, int count, GroupStates states) {}

    private boolean add(long word, long hash) {
        long state = OffHeap.getLong(word);
        int kind = (int) (state >>> KIND_SHIFT);
        if (kind == SKETCH) {
            sketch((int) state).update(hash);
            return true;
        }
        long address = kind == 0 ? 0 : slots.get(kind - 1).address((int) state);
        long size = kind == 0 ? 0 : OffHeap.getLong(address);
        for (int i = 1; i <= size; i++) {
            if (OffHeap.getLong(address + 8L * i) == hash) {
                return true;
            }
        }
        if (kind == 0 || size == (kind == 1 ? FEW : SOME)) {
            if (!slots.get(kind).reserve(1)) {
                return false;
            }
            grow(word, kind, address, size);
            return add(word, hash);
        }
        OffHeap.putLong(address + 8 * (size + 1), hash);
        OffHeap.putLong(address, size + 1);
        return true;
    }

    /** Moves hashes to the next larger kind. */
    private void grow(long word, int kind, long from, long size) {
        int slot = slots.get(kind).take();
        long to = slots.get(kind).address(slot);
        if (kind + 1 == SKETCH) {
            HllSketch sketch = new HllSketch(LOG_K, TYPE, clean(slot));
            for (int i = 1; i <= size; i++) {
                sketch.update(OffHeap.getLong(from + 8L * i));
            }
            remember(slot, sketch);
        } else if (size == 0) {
            OffHeap.putLong(to, 0);
        } else {
            OffHeap.copy(from, to, 8 * (size + 1));
        }
        if (kind > 0) {
            slots.get(kind - 1).give((int) OffHeap.getLong(word));
        }
        OffHeap.putLong(word, (kind + 1L) << KIND_SHIFT | slot);
    }

    private MemorySegment clean(int slot) {
        long address = slots.get(SKETCH - 1).address(slot);
        OffHeap.zero(address, SKETCH_BYTES);
        return segment(slot);
    }

    private MemorySegment segment(int slot) {
        return MemorySegment.ofBuffer(
                OffHeap.view(slots.get(SKETCH - 1).address(slot), SKETCH_BYTES));
    }

    private HllSketch sketch(int slot) {
        HllSketch known = open[slot % OPEN];
        if (known == null || openSlots[slot % OPEN] != slot) {
            known = HllSketch.writableWrap(segment(slot));
            remember(slot, known);
        }
        return known;
    }

    private void remember(int slot, HllSketch sketch) {
        open[slot % OPEN] = sketch;
        openSlots[slot % OPEN] = slot;
    }

    @Override
    public void merge(int from, int to, GroupStates states) {
        throw new UnsupportedOperationException("sketches are not merged");
    }

    @Override
    public ColumnVector results(int from, int count, GroupStates states) {
        ColumnSchema schema = new ColumnSchema("count", new ColumnType.Int(Long.SIZE, true), false);
        try (ResultColumn column = new ResultColumn(schema, count, allocator)) {
            for (int i = 0; i < count; i++) {
                long state = OffHeap.getLong(states.address(from + i) + offset);
                int kind = (int) (state >>> KIND_SHIFT);
                column.put(
                        i,
                        switch (kind) {
                            case 0 -> 0;
                            case SKETCH -> Math.round(sketch((int) state).getCompositeEstimate());
                            default -> OffHeap.getLong(slots.get(kind - 1).address((int) state));
                        });
            }
            return column.take();
        }
    }

    @Override
    public List<ColumnSchema> savedColumns() {
        return List.of(SAVED);
    }

    @Override
    public List<ColumnVector> save(int from, int count, GroupStates states) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += savedBytes(OffHeap.getLong(states.address(from + i) + offset));
        }
        try (BytesColumn column = new BytesColumn(SAVED, count, bytes, allocator)) {
            for (int i = 0; i < count; i++) {
                long state = OffHeap.getLong(states.address(from + i) + offset);
                int kind = (int) (state >>> KIND_SHIFT);
                if (kind == 0) {
                    column.addNull();
                } else {
                    column.add(slots.get(kind - 1).address((int) state), savedBytes(state));
                }
            }
            return List.of(column.take());
        }
    }

    private int savedBytes(long state) {
        int kind = (int) (state >>> KIND_SHIFT);
        return kind == 0 ? 0 : slots.get(kind - 1).bytes();
    }

    private int kindOf(int savedBytes) {
        for (int kind = 1; kind <= SKETCH; kind++) {
            if (slots.get(kind - 1).bytes() == savedBytes) {
                return kind;
            }
        }
        return 0;
    }

    @Override
    public boolean reserveSaved(RecordBatch saved, int firstColumn) {
        VarBinaryVector bytes = vector(saved.column(firstColumn));
        int[] counts = new int[SKETCH + 1];
        for (int i = 0; i < saved.rowCount(); i++) {
            counts[kindOf(length(bytes, i))]++;
        }
        for (int kind = 1; kind <= SKETCH; kind++) {
            if (!slots.get(kind - 1).reserve(counts[kind])) {
                return false;
            }
        }
        return true;
    }

    private static VarBinaryVector vector(ColumnVector column) {
        if (column instanceof ColumnVector.Plain(FieldVector vector)) {
            return (VarBinaryVector) vector;
        }
        throw new IllegalStateException("a column is encoded");
    }

    private static int length(VarBinaryVector bytes, int row) {
        long at = bytes.getOffsetBuffer().memoryAddress() + 4L * row;
        return OffHeap.getInt(at + 4) - OffHeap.getInt(at);
    }

    @Override
    public void load(RecordBatch saved, int firstColumn, int firstGroup, GroupStates states) {
        VarBinaryVector bytes = vector(saved.column(firstColumn));
        for (int i = 0; i < saved.rowCount(); i++) {
            int length = length(bytes, i);
            int kind = kindOf(length);
            long word = 0;
            if (kind != 0) {
                int slot = slots.get(kind - 1).take();
                long from =
                        bytes.getDataBuffer().memoryAddress()
                                + OffHeap.getInt(bytes.getOffsetBuffer().memoryAddress() + 4L * i);
                OffHeap.copy(from, slots.get(kind - 1).address(slot), length);
                word = (long) kind << KIND_SHIFT | slot;
            }
            OffHeap.putLong(states.address(firstGroup + i) + offset, word);
        }
    }

    @Override
    public void close() {
        slots.forEach(Slots::close);
        encoder.close();
    }
}
