package io.spillway.expression;

import io.spillway.batch.OffHeap;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A column put together from parts, each of which was computed for some of its rows. Closing frees
 * the parts.
 */
final class Interleave implements AutoCloseable {

    private final int rows;
    private final int[] partOf;
    private final int[] positionOf;
    private final List<Operand> parts = new ArrayList<>();
    private final List<Input> inputs = new ArrayList<>();

    Interleave(int rows) {
        this.rows = rows;
        this.partOf = new int[rows];
        this.positionOf = new int[rows];
    }

    /** Computes a value for some rows of the input. Each row gets exactly one part. */
    void add(Value value, Selection taken, Input input) {
        int stride = value instanceof ConstantValue ? 0 : 1;
        if (value instanceof ConstantValue constant) {
            parts.add(Operand.owned(constant.single(input.allocator())));
        } else {
            Input narrowed = input.narrow(taken);
            inputs.add(narrowed);
            parts.add(value.plain(narrowed));
        }
        int part = parts.size() - 1;
        for (int i = 0; i < taken.count(); i++) {
            int row = taken.row(i);
            partOf[row] = part;
            positionOf[row] = i * stride;
        }
    }

    /** The whole column; the caller owns it. */
    FieldVector merge(Field field, BufferAllocator allocator) {
        return switch (parts.getFirst().vector()) {
            case BaseVariableWidthVector _ -> mergeBytes(field, allocator);
            case BaseFixedWidthVector _ -> mergeFixed(field, allocator);
            default -> mergeNested(field, allocator);
        };
    }

    private FieldVector mergeNested(Field field, BufferAllocator allocator) {
        FieldVector[] sources = new FieldVector[parts.size()];
        for (int p = 0; p < sources.length; p++) {
            sources[p] = parts.get(p).vector();
        }
        Runs runs = new Runs(parts.size());
        for (int i = 0; i < rows; i++) {
            runs.add(partOf[i], positionOf[i], 1);
        }
        return RunCopy.copy(field, sources, runs, allocator);
    }

    private FieldVector mergeFixed(Field field, BufferAllocator allocator) {
        long[] data = new long[parts.size()];
        for (int p = 0; p < data.length; p++) {
            data[p] = Vectors.data(parts.get(p).vector());
        }
        int width = Vectors.width(parts.getFirst().vector());
        try (FixedOutput out = new FixedOutput(field, rows, allocator)) {
            mergeValidity(out.validity());
            long to = out.data();
            switch (width) {
                case 0 -> mergeBits(data, to);
                case 4 -> {
                    for (int i = 0; i < rows; i++) {
                        long from = data[partOf[i]] + 4L * positionOf[i];
                        OffHeap.putInt(to + 4L * i, OffHeap.getInt(from));
                    }
                }
                case 8 -> {
                    for (int i = 0; i < rows; i++) {
                        long from = data[partOf[i]] + 8L * positionOf[i];
                        OffHeap.putLong(to + 8L * i, OffHeap.getLong(from));
                    }
                }
                default -> {
                    for (int i = 0; i < rows; i++) {
                        long from = data[partOf[i]] + (long) width * positionOf[i];
                        OffHeap.copy(from, to + (long) width * i, width);
                    }
                }
            }
            return out.take();
        }
    }

    private FieldVector mergeBytes(Field field, BufferAllocator allocator) {
        BytesReader[] readers = new BytesReader[parts.size()];
        for (int p = 0; p < readers.length; p++) {
            readers[p] = new BytesReader(parts.get(p).vector());
        }
        long bytes = 0;
        for (int i = 0; i < rows; i++) {
            bytes += readers[partOf[i]].length(positionOf[i]);
        }
        try (BytesOutput out = new BytesOutput(field, rows, bytes, allocator)) {
            mergeValidity(out.validity());
            for (int i = 0; i < rows; i++) {
                BytesReader reader = readers[partOf[i]];
                out.append(reader.address(positionOf[i]), reader.length(positionOf[i]));
            }
            return out.take();
        }
    }

    private void mergeValidity(long to) {
        long[] validity = new long[parts.size()];
        for (int p = 0; p < validity.length; p++) {
            validity[p] = Vectors.validity(parts.get(p).vector());
        }
        mergeBits(validity, to);
    }

    private void mergeBits(long[] bitmaps, long to) {
        for (int w = 0; w < Bits.words(rows); w++) {
            int from = w << 6;
            int end = Math.min(64, rows - from);
            long bits = 0;
            for (int i = 0; i < end; i++) {
                int row = from + i;
                bits |= (Bits.get(bitmaps[partOf[row]], positionOf[row]) ? 1L : 0L) << i;
            }
            Bits.store(to, w, rows, bits);
        }
    }

    @Override
    public void close() {
        parts.forEach(Operand::close);
        inputs.forEach(Input::close);
    }
}
