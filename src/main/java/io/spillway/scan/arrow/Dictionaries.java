package io.spillway.scan.arrow;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Concat;
import io.spillway.scan.arrow.BatchShape.Slot;
import io.spillway.scan.arrow.FileIndex.DictionaryPlace;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;

/**
 * The dictionaries of some columns, as they are at one record batch after the other: a dictionary
 * holds until it is replaced, and a delta adds entries to it. As long as one holds it is the same
 * object. Used by one thread at a time; waits.
 */
final class Dictionaries implements AutoCloseable {

    /** What was loaded, and of which messages. */
    private record Loaded(List<DictionaryPlace> places, DictionaryEntries entries) {}

    private final FileIndex index;
    private final MetadataBytes metadata;
    private final WindowReader windows;
    private final BufferAllocator allocator;
    private final Place place;

    /** Fields of the entries, those that others' entries need first. */
    private final Map<Long, ArrowField> wanted = new LinkedHashMap<>();

    private final Map<Long, List<DictionaryPlace>> places = new HashMap<>();
    private final Map<Long, Loaded> loaded = new HashMap<>();

    Dictionaries(
            FileIndex index,
            List<ArrowField> columns,
            MetadataBytes metadata,
            WindowReader windows,
            BufferAllocator allocator) {
        this.index = index;
        this.metadata = metadata;
        this.windows = windows;
        this.allocator = allocator;
        this.place = metadata.place();
        columns.forEach(field -> collect(field, wanted));
        for (DictionaryPlace dictionary : index.dictionaries()) {
            if (wanted.containsKey(dictionary.id())) {
                places.computeIfAbsent(dictionary.id(), id -> new ArrayList<>()).add(dictionary);
            }
        }
    }

    /** The dictionaries that a field needs. */
    static void collect(ArrowField field, Map<Long, ArrowField> into) {
        field.children().forEach(child -> collect(child, into));
        ArrowField.DictionaryRef ref = field.dictionary();
        if (ref != null) {
            collect(ref.values(), into);
            into.putIfAbsent(ref.id(), ref.values());
        }
    }

    /**
     * The dictionaries at a record batch, by id; the caller owns references to them. One that the
     * file does not have is missing.
     *
     * @param batch where its message is
     */
    Map<Long, DictionaryEntries> at(long batch) {
        for (Map.Entry<Long, ArrowField> each : wanted.entrySet()) {
            List<DictionaryPlace> now = at(each.getKey(), batch);
            if (!now.isEmpty()) {
                load(each.getKey(), each.getValue(), now);
            }
        }
        Map<Long, DictionaryEntries> entries = new HashMap<>();
        loaded.forEach((id, each) -> entries.put(id, each.entries().retain()));
        return entries;
    }

    /** The messages that make a dictionary at a batch; empty if it has not come yet. */
    private List<DictionaryPlace> at(long id, long batch) {
        List<DictionaryPlace> all = places.getOrDefault(id, List.of());
        if (!index.appliedAtPlace()) {
            return all;
        }
        int end = 0;
        while (end < all.size() && all.get(end).place() < batch) {
            end++;
        }
        int first = end;
        while (first > 0 && all.get(first - 1).isDelta()) {
            first--;
        }
        return all.subList(Math.max(0, first - 1), end);
    }

    private void load(long id, ArrowField field, List<DictionaryPlace> now) {
        Loaded before = loaded.get(id);
        if (before != null && before.places().equals(now)) {
            return;
        }
        if (now.getFirst().isDelta()) {
            throw place.inDictionary(id).corrupt("A delta comes before all entries");
        }
        int known = 0;
        DictionaryEntries entries = null;
        if (before != null
                && now.size() > before.places().size()
                && now.subList(0, before.places().size()).equals(before.places())) {
            known = before.places().size();
            entries = before.entries();
        } else {
            loaded.remove(id);
            if (before != null) {
                before.entries().close();
            }
        }
        for (DictionaryPlace next : now.subList(known, now.size())) {
            try (FieldVector more = read(next, field)) {
                DictionaryEntries all = join(entries, more, field);
                Loaded replaced =
                        loaded.put(id, new Loaded(List.copyOf(now.subList(0, ++known)), all));
                if (replaced != null) {
                    replaced.entries().close();
                }
                entries = all;
            }
        }
    }

    /** The entries of one message. */
    private FieldVector read(DictionaryPlace dictionary, ArrowField field) {
        Place at = place.inDictionary(dictionary.id());
        MessageHead head = MessageHead.read(metadata, dictionary.place());
        if (head == null) {
            throw at.corrupt("There is no dictionary");
        }
        BatchShape shape = shape(head, field, at);
        Slot slot = shape.slots().getFirst();
        try (Window window = windows.whole(shape, shape.slots(), head.body(), at)) {
            Map<Long, DictionaryEntries> inner = new HashMap<>();
            loaded.forEach((id, each) -> inner.put(id, each.entries()));
            return new VectorLoader(window, inner).plain(slot, 0, (int) shape.rows());
        }
    }

    private static BatchShape shape(MessageHead head, ArrowField field, Place at) {
        try {
            DictionaryBatch batch =
                    head.header(MessageHeader.DictionaryBatch, new DictionaryBatch(), at);
            RecordBatch data = batch.data();
            if (data == null || data.length() < 0 || data.length() > Integer.MAX_VALUE / 2) {
                throw at.corrupt("A dictionary has no entries that can be read");
            }
            return BatchShape.read(data, List.of(field), data.length(), head, at);
        } catch (IndexOutOfBoundsException e) {
            throw at.corrupt(e);
        }
    }

    /** Entries and more of them, without nulls; both stay the caller's. */
    private DictionaryEntries join(
            @Nullable DictionaryEntries before, FieldVector more, ArrowField field) {
        int count = more.getValueCount();
        int known = before == null ? 0 : before.dictionary().size();
        boolean nulls = more.getNullCount() > 0 || (before != null && before.validity() != null);
        ArrowBuf validity = nulls ? Buffers.bitmap(allocator, known + count) : null;
        try {
            if (validity != null) {
                ArrowBuf old = before == null ? null : before.validity();
                if (old == null) {
                    Bits.set(validity.memoryAddress(), 0, known, true);
                } else {
                    Bits.copy(old.memoryAddress(), 0, validity.memoryAddress(), 0, known);
                }
                if (count > 0) {
                    long from = more.getValidityBuffer().memoryAddress();
                    Bits.copy(from, 0, validity.memoryAddress(), known, count);
                }
            }
            withoutNulls(more);
            FieldVector all =
                    before == null
                            ? moved(more)
                            : concat(before.dictionary().values(), more, field);
            return new DictionaryEntries(new Dictionary(all), validity);
        } catch (Throwable t) {
            if (validity != null) {
                validity.close();
            }
            throw t;
        }
    }

    private FieldVector moved(FieldVector vector) {
        var pair = vector.getTransferPair(vector.getField(), allocator);
        pair.transfer();
        return (FieldVector) pair.getTo();
    }

    /** Entries behind others, as a vector that the caller owns; both stay the caller's. */
    private FieldVector concat(FieldVector one, FieldVector other, ArrowField field) {
        RowSchema schema =
                new RowSchema(List.of(new ColumnSchema(field.name(), field.column().type(), true)));
        var all = Concat.concat(List.of(batch(schema, one), batch(schema, other)), allocator);
        return ((ColumnVector.Plain) all.column(0)).vector();
    }

    private static io.spillway.batch.RecordBatch batch(RowSchema schema, FieldVector vector) {
        return new io.spillway.batch.RecordBatch(
                schema, List.of(new ColumnVector.Plain(vector)), vector.getValueCount());
    }

    /** Gives a vector a bitmap of its own that is all ones. */
    private void withoutNulls(FieldVector vector) {
        int count = vector.getValueCount();
        if (count == 0 || vector.getNullCount() == 0) {
            return;
        }
        List<ArrowBuf> buffers = new ArrayList<>(vector.getFieldBuffers());
        buffers.forEach(buffer -> buffer.getReferenceManager().retain());
        try (ArrowBuf ones = VectorLoader.ones(allocator, count)) {
            List<ArrowBuf> all = new ArrayList<>(buffers);
            all.set(0, ones);
            vector.loadFieldBuffers(new ArrowFieldNode(count, 0), all);
        } finally {
            buffers.forEach(ArrowBuf::close);
        }
    }

    @Override
    public void close() {
        loaded.values().forEach(each -> each.entries().close());
        loaded.clear();
    }
}
