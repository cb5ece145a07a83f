package io.spillway.scan.arrow;

import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.arrow.BatchShape.Slot;
import io.spillway.scan.bytes.OpenFile;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Reads windows of a record batch: all of the wanted buffers if they are small or compressed, else
 * the parts that some rows need. Where rows' values begin is told by offsets, so those are read
 * first, and then, level by level, what they point to. Used by one thread at a time; waits.
 */
final class WindowReader {

    /** A field's values that a window needs. */
    private record Values(Slot slot, long from, long count) {}

    private final BodyReader bodies;
    private final BufferAllocator allocator;
    private final List<BodyReader.Part> parts = new ArrayList<>();
    private final List<Values> pending = new ArrayList<>();

    /** Of an open file, which stays its owner's. */
    WindowReader(OpenFile file, BufferAllocator allocator, ScanMetrics metrics) {
        this.bodies = new BodyReader(file, allocator, metrics);
        this.allocator = allocator;
    }

    /** All of some fields; the caller owns the window. */
    Window whole(BatchShape shape, List<Slot> wanted, long body, Place place) {
        parts.clear();
        wanted.forEach(this::addAll);
        Window window = new Window(shape, 0, shape.rows(), allocator, place);
        return filled(window, body);
    }

    private void addAll(Slot slot) {
        for (int i = 0; i < slot.bufferCount(); i++) {
            addAll(slot.firstBuffer() + i);
        }
        slot.children().forEach(this::addAll);
    }

    /** A whole buffer. */
    private void addAll(int buffer) {
        parts.add(new BodyReader.Part(buffer, 0, -1));
    }

    /**
     * Some rows of some fields of a batch that is not compressed.
     *
     * @param limit bytes that the window may have if it is of more than one row
     * @return owned by the caller; null if it would be larger
     */
    @Nullable Window part(
            BatchShape shape,
            List<Slot> wanted,
            long body,
            long from,
            long count,
            long limit,
            Place place) {
        Window window = new Window(shape, from, from + count, allocator, place);
        try {
            parts.clear();
            pending.clear();
            wanted.forEach(slot -> first(window, slot, from, count));
            long bytes = 0;
            while (!parts.isEmpty()) {
                for (BodyReader.Part part : parts) {
                    bytes += part.length() < 0 ? length(shape, part) : part.length();
                }
                if (bytes > limit && count > 1) {
                    window.close();
                    return null;
                }
                bodies.read(window, parts, body);
                parts.clear();
                List<Values> known = List.copyOf(pending);
                pending.clear();
                known.forEach(values -> second(window, values));
            }
            return window;
        } catch (Throwable t) {
            window.close();
            throw t;
        }
    }

    private static long length(BatchShape shape, BodyReader.Part part) {
        return shape.buffers().get(part.buffer()).length();
    }

    private Window filled(Window window, long body) {
        try {
            bodies.read(window, parts, body);
            return window;
        } catch (SpillwayException e) {
            window.close();
            throw window.place().with(e);
        } catch (Throwable t) {
            window.close();
            throw t;
        }
    }

    /** What is needed of a field whatever its offsets say. */
    private void first(Window window, Slot slot, long from, long count) {
        int first = slot.firstBuffer();
        Layout layout = slot.field().layout();
        if (count == 0) {
            return;
        }
        if (slot.bufferCount() > 0 && window.has(first)) {
            bits(first, from, count);
        }
        switch (layout) {
            case Layout.Nulls _ -> {}
            case Layout.Bits _ -> bits(first + 1, from, count);
            case Layout.Fixed(int width, var _) -> add(first + 1, from * width, count * width);
            case Layout.Bytes _, Layout.Elements _ -> offsets(slot, from, count);
            case Layout.Views _ -> {
                add(first + 1, from * Views.BYTES, count * Views.BYTES);
                // They may point anywhere.
                for (int i = 2; i < slot.bufferCount(); i++) {
                    addAll(first + i);
                }
            }
            case Layout.FixedElements(int size) ->
                    first(window, slot.children().getFirst(), from * size, count * size);
            case Layout.Fields _ ->
                    slot.children().forEach(child -> first(window, child, from, count));
            case Layout.Unread _ -> throw new IllegalStateException("an unreadable field");
        }
    }

    private void offsets(Slot slot, long from, long count) {
        int width = slot.field().layout().offsetWidth();
        add(slot.firstBuffer() + 1, from * width, (count + 1) * width);
        pending.add(new Values(slot, from, count));
    }

    private void bits(int buffer, long from, long count) {
        long start = from >>> 3;
        add(buffer, start, ((from + count + 7) >>> 3) - start);
    }

    private void add(int buffer, long start, long bytes) {
        if (bytes > 0) {
            parts.add(new BodyReader.Part(buffer, start, bytes));
        }
    }

    /** What offsets, which are there, point to. */
    private void second(Window window, Values values) {
        Slot slot = values.slot();
        long from = window.offset(slot, values.from());
        long to = window.offset(slot, values.from() + values.count());
        if (from < 0 || to < from) {
            throw window.place()
                    .corrupt(
                            "The field '%s' has offsets that go back"
                                    .formatted(slot.field().name()));
        }
        if (slot.field().layout() instanceof Layout.Bytes) {
            add(slot.firstBuffer() + 2, from, to - from);
            return;
        }
        Slot child = slot.children().getFirst();
        if (to > child.length()) {
            throw window.place()
                    .corrupt(
                            "The field '%s' has offsets beyond its %,d elements"
                                    .formatted(slot.field().name(), child.length()));
        }
        first(window, child, from, to - from);
    }
}
