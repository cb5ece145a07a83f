package io.spillway.expression;

import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Several plain vectors of one type, of which values are taken by source and row. Immutable; any
 * number of threads may use it while the vectors stay as they are. They stay the caller's.
 */
public final class ManySources {

    /** Bytes up to which a text is copied by a loop over words rather than by a call. */
    private static final int SHORT = 64;

    private final Field field;
    private final FieldVector[] sources;
    private final Shape shape;
    private final int width;
    private final boolean nulls;
    private final long[] validity;
    private final long[] data;
    private final long[] offsets;

    /** How values lie in memory. */
    private enum Shape {
        FIXED,
        BYTES,
        NESTED
    }

    /**
     * @param field of the vectors that are made
     * @param sources of the field's type; not changed after
     */
    public ManySources(Field field, FieldVector[] sources) {
        this.field = field;
        this.sources = sources;
        int count = sources.length;
        this.validity = new long[count];
        this.data = new long[count];
        this.offsets = new long[count];
        boolean anyNull = false;
        Shape form = Shape.FIXED;
        int bytes = 0;
        for (int s = 0; s < count; s++) {
            FieldVector source = sources[s];
            form =
                    switch (source) {
                        case BaseFixedWidthVector _ -> Shape.FIXED;
                        case BaseVariableWidthVector _ -> Shape.BYTES;
                        default -> Shape.NESTED;
                    };
            bytes = form == Shape.FIXED ? Vectors.width(source) : 0;
            if (source.getValueCount() > 0 && form != Shape.NESTED) {
                anyNull |= source.getNullCount() > 0;
                validity[s] = Vectors.validity(source);
                data[s] = Vectors.data(source);
                offsets[s] = form == Shape.BYTES ? Vectors.offsets(source) : 0;
            }
        }
        this.shape = form;
        this.width = bytes;
        this.nulls = anyNull;
    }

    /**
     * A vector of values, which the caller owns.
     *
     * @param sourceOf for each value its source
     * @param rowOf for each value its row there; a negative one gives null
     * @param count how many of these are used
     */
    public FieldVector take(int[] sourceOf, int[] rowOf, int count, BufferAllocator allocator) {
        if (sources.length == 0) {
            return Vectors.nulls(field, count, allocator);
        }
        return switch (shape) {
            case FIXED -> takeFixed(sourceOf, rowOf, count, allocator);
            case BYTES -> takeBytes(sourceOf, rowOf, count, allocator);
            case NESTED -> {
                Runs runs = new Runs(count);
                for (int i = 0; i < count; i++) {
                    if (rowOf[i] < 0) {
                        runs.add(Runs.NULLS, 0, 1);
                    } else {
                        runs.add(sourceOf[i], rowOf[i], 1);
                    }
                }
                yield RunCopy.copy(field, sources, runs, allocator);
            }
        };
    }

    private FieldVector takeFixed(
            int[] sourceOf, int[] rowOf, int count, BufferAllocator allocator) {
        try (FixedOutput out = new FixedOutput(field, count, allocator)) {
            takeValidity(sourceOf, rowOf, count, out.validity());
            long to = out.data();
            switch (width) {
                case 0 -> takeBits(data, sourceOf, rowOf, count, to);
                case 4 -> {
                    for (int i = 0; i < count; i++) {
                        int row = rowOf[i];
                        OffHeap.putInt(
                                to + 4L * i,
                                row < 0 ? 0 : OffHeap.getInt(data[sourceOf[i]] + 4L * row));
                    }
                }
                case 8 -> {
                    for (int i = 0; i < count; i++) {
                        int row = rowOf[i];
                        OffHeap.putLong(
                                to + 8L * i,
                                row < 0 ? 0 : OffHeap.getLong(data[sourceOf[i]] + 8L * row));
                    }
                }
                case 16 -> {
                    for (int i = 0; i < count; i++) {
                        int row = rowOf[i];
                        long from = data[sourceOf[i]] + 16L * row;
                        OffHeap.putLong(to + 16L * i, row < 0 ? 0 : OffHeap.getLong(from));
                        OffHeap.putLong(to + 16L * i + 8, row < 0 ? 0 : OffHeap.getLong(from + 8));
                    }
                }
                default -> {
                    for (int i = 0; i < count; i++) {
                        long target = to + (long) width * i;
                        if (rowOf[i] < 0) {
                            OffHeap.zero(target, width);
                        } else {
                            copy(data[sourceOf[i]] + (long) width * rowOf[i], target, width);
                        }
                    }
                }
            }
            return out.take();
        }
    }

    private FieldVector takeBytes(
            int[] sourceOf, int[] rowOf, int count, BufferAllocator allocator) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            if (rowOf[i] >= 0) {
                long at = offsets[sourceOf[i]] + 4L * rowOf[i];
                bytes += OffHeap.getInt(at + 4) - OffHeap.getInt(at);
            }
        }
        try (BytesOutput out = new BytesOutput(field, count, bytes, allocator)) {
            takeValidity(sourceOf, rowOf, count, out.validity());
            for (int i = 0; i < count; i++) {
                if (rowOf[i] < 0) {
                    out.end(0);
                    continue;
                }
                int source = sourceOf[i];
                long at = offsets[source] + 4L * rowOf[i];
                int start = OffHeap.getInt(at);
                int length = OffHeap.getInt(at + 4) - start;
                copy(data[source] + start, out.reserve(length), length);
                out.end(length);
            }
            return out.take();
        }
    }

    private void takeValidity(int[] sourceOf, int[] rowOf, int count, long to) {
        if (nulls) {
            takeBits(validity, sourceOf, rowOf, count, to);
            return;
        }
        for (int w = 0; w < Bits.words(count); w++) {
            int end = Math.min(64, count - (w << 6));
            long bits = 0;
            for (int i = 0; i < end; i++) {
                bits |= (long) (~rowOf[(w << 6) + i] >>> 31) << i;
            }
            Bits.store(to, w, count, bits);
        }
    }

    private static void takeBits(long[] from, int[] sourceOf, int[] rowOf, int count, long to) {
        for (int w = 0; w < Bits.words(count); w++) {
            int first = w << 6;
            int end = Math.min(64, count - first);
            long bits = 0;
            for (int i = 0; i < end; i++) {
                int row = rowOf[first + i];
                if (row >= 0 && Bits.get(from[sourceOf[first + i]], row)) {
                    bits |= 1L << i;
                }
            }
            Bits.store(to, w, count, bits);
        }
    }

    /** Copies bytes that do not overlap: the last word once more where they are no whole words. */
    private static void copy(long from, long to, int length) {
        if (length > SHORT) {
            OffHeap.copy(from, to, length);
        } else if (length >= Long.BYTES) {
            int last = length - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES) {
                OffHeap.putLong(to + i, OffHeap.getLong(from + i));
            }
            OffHeap.putLong(to + last, OffHeap.getLong(from + last));
        } else {
            for (int i = 0; i < length; i++) {
                OffHeap.putByte(to + i, OffHeap.getByte(from + i));
            }
        }
    }
}
