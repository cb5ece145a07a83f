package io.spillway.scan.parquet.column;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Slots;
import io.spillway.scan.parquet.value.ChunkValues;
import io.spillway.scan.parquet.value.Validity;
import io.spillway.scan.parquet.value.ValueDecoder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * The batch under way of one leaf: its values, and the shapes of the nodes above it. Entries come
 * from the leaf's levels, from the front; their values are read from the page at the same time.
 */
public final class LeafBatch implements AutoCloseable {

    /** Entries that make a batch full. */
    public static final int FULL = 1 << 20;

    private final LevelBuffer levels;
    private final ChunkValues chunk;
    private final ValueDecoder decoder;
    private final BufferAllocator allocator;
    private final Field path;
    private final List<Shape> shapes = new ArrayList<>();
    private final Validity validity;

    private int entries;
    private boolean begun;

    /** Slots of the batch before, which the next one may well have too. */
    private int usual;

    /** Indices of the step's values, and how many of them are used; those of one part's slots. */
    private @Nullable ArrowBuf indices;

    private int usedIndices;
    private @Nullable ArrowBuf slotIndices;

    /**
     * Takes over the decoder.
     *
     * @param nodes those above the leaf, from the column's root on, and the leaf
     */
    LeafBatch(
            List<ColumnNode> nodes,
            LevelBuffer levels,
            ChunkValues chunk,
            ValueDecoder decoder,
            BufferAllocator allocator,
            Place place) {
        this.levels = levels;
        this.chunk = chunk;
        this.decoder = decoder;
        this.allocator = allocator;
        ColumnNode.Leaf leaf = (ColumnNode.Leaf) nodes.getLast();
        Slots where = new Slots(0, 0, leaf.repetition());
        for (ColumnNode node : nodes.subList(0, nodes.size() - 1)) {
            shapes.add(new Shape(node, where, allocator, place));
            where = node instanceof ColumnNode.Repeated list ? where.within(list) : where;
        }
        this.validity = new Validity(where, leaf.presentAt(), allocator);
        this.path = path(nodes);
    }

    /** The type of the column if it had no other leaf; maps are lists. */
    private static Field path(List<ColumnNode> nodes) {
        Field field = nodes.getLast().field().toArrow();
        for (ColumnNode node : nodes.subList(0, nodes.size() - 1).reversed()) {
            ArrowType type =
                    node instanceof ColumnNode.Repeated
                            ? ArrowType.List.INSTANCE
                            : ArrowType.Struct.INSTANCE;
            field = new Field(node.field().name(), FieldType.nullable(type), List.of(field));
        }
        return field;
    }

    /** Begins with a step of levels: reads the indices of its values, if they are indices. */
    void startStep() {
        usedIndices = 0;
        if (chunk.indexed()) {
            int values = levels.values(levels.left());
            ArrowBuf buffer = indices;
            if (buffer == null) {
                buffer = Buffers.allocate(allocator, (long) LevelBuffer.STEP * Integer.BYTES);
                indices = buffer;
            }
            chunk.readIndices(buffer.memoryAddress(), 0, 0, values, values);
        }
    }

    /** Passes over entries. */
    void skip(int count) {
        int values = levels.values(count);
        if (chunk.indexed()) {
            usedIndices += values;
        } else {
            chunk.skipValues(values);
        }
        levels.use(count);
    }

    /**
     * The place among the next entries of the first that does not fit into the batch.
     *
     * @return {@code count} if all of them fit
     */
    int fitting(int count) {
        int most = Math.min(count, FULL - Math.min(FULL, entries));
        int values = levels.values(most);
        if (values == 0) {
            return most;
        }
        begin(values);
        int fit =
                chunk.indexed()
                        ? decoder.fits(chunk.dictionary().values(), nextIndices(), values)
                        : decoder.fits(chunk.page(), values);
        return fit < values ? levels.placeOfValue(fit) : most;
    }

    private long nextIndices() {
        ArrowBuf buffer = indices;
        if (buffer == null) {
            throw new IllegalStateException("no indices");
        }
        return buffer.memoryAddress() + (long) Integer.BYTES * usedIndices;
    }

    /**
     * Appends entries.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if levels contradict each
     *     other or the page ends before its values
     */
    void append(int count) {
        long definitions = levels.definitions();
        long repetitions = levels.repetitions();
        for (Shape shape : shapes) {
            shape.append(definitions, repetitions, count);
        }
        int first = validity.slots();
        int nulls = validity.nulls();
        validity.append(definitions, repetitions, count);
        int slots = validity.slots() - first;
        levels.use(count);
        entries += count;
        if (slots > 0) {
            read(first, slots, slots - (validity.nulls() - nulls));
        }
    }

    private void begin(int slots) {
        if (!begun) {
            decoder.begin(Math.max(slots, usual));
            begun = true;
        }
    }

    private void read(int first, int slots, int valid) {
        begin(slots);
        decoder.reserve(first + slots);
        long bitmap = validity.address();
        if (chunk.indexed()) {
            long spread = spread(bitmap, first, slots, valid);
            FieldVector dictionary = chunk.dictionary().values();
            decoder.gather(dictionary, spread, bitmap, first, slots, valid);
            usedIndices += valid;
        } else {
            decoder.read(chunk.page(), bitmap, first, slots, valid);
        }
    }

    /** One index for each slot. */
    private long spread(long bitmap, int first, int slots, int valid) {
        if (slots == valid) {
            return nextIndices();
        }
        ArrowBuf buffer = slotIndices;
        if (buffer == null) {
            buffer = Buffers.allocate(allocator, (long) LevelBuffer.STEP * Integer.BYTES);
            slotIndices = buffer;
        }
        long out = buffer.memoryAddress();
        OffHeap.copy(nextIndices(), out, (long) Integer.BYTES * valid);
        Bits.spread4(out, bitmap, first, slots, valid);
        return out;
    }

    /** The batch, the caller's; the next one begins. */
    FieldVector take() {
        begin(0);
        begun = false;
        entries = 0;
        usual = validity.slots();
        int nulls = validity.nulls();
        FieldVector root = path.createVector(allocator);
        try {
            FieldVector at = root;
            for (Shape shape : shapes) {
                shape.take(at);
                at = at.getChildrenFromFields().getFirst();
            }
            try (FieldVector values = finish(nulls)) {
                values.makeTransferPair(at).transfer();
            }
            return root;
        } catch (Throwable t) {
            root.close();
            throw t;
        }
    }

    private FieldVector finish(int nulls) {
        int slots = validity.slots();
        ArrowBuf bitmap = validity.take();
        try {
            return decoder.finish(bitmap, slots, nulls);
        } catch (Throwable t) {
            bitmap.close();
            throw t;
        }
    }

    /** Frees the batch under way. */
    @Override
    public void close() {
        shapes.forEach(Shape::close);
        validity.close();
        decoder.abort();
        if (indices != null) {
            indices.close();
            indices = null;
        }
        if (slotIndices != null) {
            slotIndices.close();
            slotIndices = null;
        }
    }
}
