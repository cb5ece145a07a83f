package io.spillway.expression;

import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Makes vectors of any type out of {@link Runs} of others. Nested ones are copied child by child: a
 * run of lists is one run of elements, so that going down never makes more runs.
 *
 * <pre>
 *   lists      [a b] [] [c] [d e f] [g]        runs of lists      0-2, 4
 *   elements    a b      c   d e f   g         runs of elements   0-2, 6
 * </pre>
 */
final class RunCopy {

    /** Runs of fewer bytes are copied by a loop over words rather than by a call. */
    private static final int SHORT_RUN = 64;

    private RunCopy() {}

    /**
     * A vector of the values in the runs.
     *
     * @param sources plain vectors of the field's type; they stay the caller's
     * @return owned by the caller
     * @throws SpillwayException {@code MEMORY_LIMIT} if offsets cannot reach what would be copied
     */
    static FieldVector copy(
            Field field, FieldVector[] sources, Runs runs, BufferAllocator allocator) {
        FieldVector target = field.createVector(allocator);
        try {
            fill(target, sources, runs, allocator);
            return target;
        } catch (Throwable t) {
            target.close();
            throw t;
        }
    }

    private static void fill(
            FieldVector target, FieldVector[] sources, Runs runs, BufferAllocator allocator) {
        switch (target) {
            case ListVector list -> lists(list, sources, runs, allocator);
            case StructVector struct -> {
                load(struct, sources, runs, Vectors.buffers(allocator, Bits.bytes(runs.total())));
                List<FieldVector> children = struct.getChildrenFromFields();
                for (int i = 0; i < children.size(); i++) {
                    fill(children.get(i), children(sources, i), runs, allocator);
                }
            }
            case BaseFixedWidthVector fixed -> fixed(fixed, sources, runs, allocator);
            default -> bytes(target, sources, runs, allocator);
        }
    }

    private static FieldVector[] children(FieldVector[] parents, int index) {
        FieldVector[] children = new FieldVector[parents.length];
        for (int i = 0; i < parents.length; i++) {
            children[i] = parents[i].getChildrenFromFields().get(index);
        }
        return children;
    }

    private static void lists(
            ListVector target, FieldVector[] sources, Runs runs, BufferAllocator allocator) {
        List<ArrowBuf> buffers =
                Vectors.buffers(
                        allocator, Bits.bytes(runs.total()), (runs.total() + 1L) * Integer.BYTES);
        Runs elements;
        try {
            elements = offsets(sources, runs, buffers.get(1).memoryAddress());
        } catch (Throwable t) {
            buffers.forEach(ArrowBuf::close);
            throw t;
        }
        load(target, sources, runs, buffers);
        fill(target.getDataVector(), children(sources, 0), elements, allocator);
    }

    private static void bytes(
            FieldVector target, FieldVector[] sources, Runs runs, BufferAllocator allocator) {
        List<ArrowBuf> buffers =
                new ArrayList<>(
                        Vectors.buffers(
                                allocator,
                                Bits.bytes(runs.total()),
                                (runs.total() + 1L) * Integer.BYTES));
        try {
            Runs data = offsets(sources, runs, buffers.get(1).memoryAddress());
            buffers.add(allocator.buffer(Math.max(1, data.total())));
            long to = buffers.get(2).memoryAddress();
            for (int r = 0; r < data.count(); r++) {
                long from = Vectors.data(sources[data.source(r)]) + data.start(r);
                OffHeap.copy(from, to, data.length(r));
                to += data.length(r);
            }
        } catch (Throwable t) {
            buffers.forEach(ArrowBuf::close);
            throw t;
        }
        load(target, sources, runs, buffers);
    }

    /**
     * Writes offsets from 0 on.
     *
     * @return the runs of what the offsets point into
     */
    private static Runs offsets(FieldVector[] sources, Runs runs, long to) {
        Runs inner = new Runs(runs.count());
        OffHeap.putInt(to, 0);
        long at = to + Integer.BYTES;
        for (int r = 0; r < runs.count(); r++) {
            int length = runs.length(r);
            if (runs.source(r) == Runs.NULLS) {
                for (int i = 0; i < length; i++, at += Integer.BYTES) {
                    OffHeap.putInt(at, inner.total());
                }
                continue;
            }
            long from =
                    Vectors.offsets(sources[runs.source(r)]) + (long) Integer.BYTES * runs.start(r);
            int first = OffHeap.getInt(from);
            int shift = inner.total() - first;
            inner.add(
                    runs.source(r),
                    first,
                    OffHeap.getInt(from + (long) Integer.BYTES * length) - first);
            for (int i = 1; i <= length; i++, at += Integer.BYTES) {
                OffHeap.putInt(at, OffHeap.getInt(from + (long) Integer.BYTES * i) + shift);
            }
        }
        return inner;
    }

    private static void fixed(
            BaseFixedWidthVector target,
            FieldVector[] sources,
            Runs runs,
            BufferAllocator allocator) {
        List<ArrowBuf> buffers =
                Vectors.buffers(
                        allocator,
                        Bits.bytes(runs.total()),
                        Vectors.dataBytes(target, runs.total()));
        long to = buffers.get(1).memoryAddress();
        int width = target.getTypeWidth();
        if (width == 0) {
            BitWriter bits = new BitWriter(to);
            for (int r = 0; r < runs.count(); r++) {
                if (runs.source(r) == Runs.NULLS) {
                    bits.fill(false, runs.length(r));
                } else {
                    bits.copy(Vectors.data(sources[runs.source(r)]), runs.start(r), runs.length(r));
                }
            }
            bits.flush();
        } else {
            for (int r = 0; r < runs.count(); r++) {
                long bytes = (long) width * runs.length(r);
                if (runs.source(r) == Runs.NULLS) {
                    OffHeap.zero(to, bytes);
                } else {
                    copy(
                            Vectors.data(sources[runs.source(r)]) + (long) width * runs.start(r),
                            to,
                            bytes,
                            width);
                }
                to += bytes;
            }
        }
        load(target, sources, runs, buffers);
    }

    private static void copy(long from, long to, long bytes, int width) {
        if (bytes > SHORT_RUN) {
            OffHeap.copy(from, to, bytes);
        } else if (width >= Long.BYTES && (width & 7) == 0) {
            for (long i = 0; i < bytes; i += Long.BYTES) {
                OffHeap.putLong(to + i, OffHeap.getLong(from + i));
            }
        } else if (width == Integer.BYTES) {
            for (long i = 0; i < bytes; i += Integer.BYTES) {
                OffHeap.putInt(to + i, OffHeap.getInt(from + i));
            }
        } else {
            for (long i = 0; i < bytes; i++) {
                OffHeap.putByte(to + i, OffHeap.getByte(from + i));
            }
        }
    }

    /** Writes the validity, which is the first of the buffers, and hands them all over. */
    private static void load(
            FieldVector target, FieldVector[] sources, Runs runs, List<ArrowBuf> buffers) {
        BitWriter validity = new BitWriter(buffers.getFirst().memoryAddress());
        for (int r = 0; r < runs.count(); r++) {
            int length = runs.length(r);
            if (runs.source(r) == Runs.NULLS) {
                validity.fill(false, length);
            } else {
                validity.copy(Vectors.validity(sources[runs.source(r)]), runs.start(r), length);
            }
        }
        validity.flush();
        Vectors.load(target, runs.total(), buffers);
    }
}
