package io.spillway.encode;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/** The offsets of lists, text and binary: where each value begins, and where the last one ends. */
final class ArrowOffsets {

    private ArrowOffsets() {}

    /** Bytes of the offsets of some values. */
    static long bytes(int values) {
        return (values + 1L) * Integer.BYTES;
    }

    static int at(FieldVector vector, int index) {
        return OffHeap.getInt(
                vector.getOffsetBuffer().memoryAddress() + (long) Integer.BYTES * index);
    }

    static int length(FieldVector vector, int index) {
        return at(vector, index + 1) - at(vector, index);
    }

    /** Bytes or elements of all values. */
    static long total(FieldVector vector, Picks picks) {
        return switch (picks) {
            case Picks.Run(int from, int count) ->
                    count == 0 ? 0 : at(vector, from + count) - at(vector, from);
            case Picks.Picked picked -> {
                long total = 0;
                for (int at : picked.at) {
                    total += at < 0 ? 0 : length(vector, at);
                }
                yield total;
            }
        };
    }

    /** The same values, such that no null among them has a length. */
    static Picks shown(FieldVector vector, Picks picks, int nulls) {
        return nulls > 0 && picks instanceof Picks.Run run && hidesLengths(vector, run)
                ? run.picked(vector)
                : picks;
    }

    private static boolean hidesLengths(FieldVector vector, Picks.Run run) {
        long validity = vector.getValidityBuffer().memoryAddress();
        for (int i = 0; i < run.count(); i += Long.SIZE) {
            int bits = Math.min(Long.SIZE, run.count() - i);
            long empty = ~Bits.word(validity, run.from() + i, bits) & Bits.mask(bits);
            for (; empty != 0; empty &= empty - 1) {
                if (length(vector, run.from() + i + Long.numberOfTrailingZeros(empty)) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Writes the offsets of values, the first of them 0. */
    static void write(FieldVector vector, Picks picks, long target) {
        OffHeap.putInt(target, 0);
        switch (picks) {
            case Picks.Run(int from, int count) -> {
                long source =
                        vector.getOffsetBuffer().memoryAddress() + (long) Integer.BYTES * from;
                int first = count == 0 ? 0 : OffHeap.getInt(source);
                for (int i = 1; i <= count; i++) {
                    long step = (long) Integer.BYTES * i;
                    OffHeap.putInt(target + step, OffHeap.getInt(source + step) - first);
                }
            }
            case Picks.Picked picked -> {
                int end = 0;
                long to = target;
                for (int at : picked.at) {
                    end += at < 0 ? 0 : length(vector, at);
                    to += Integer.BYTES;
                    OffHeap.putInt(to, end);
                }
            }
        }
    }

    /** The value that a byte or element belongs to, by offsets that have been written. */
    static int valueOf(int element, long offsets) {
        int value = 0;
        while (OffHeap.getInt(offsets + (value + 1L) * Integer.BYTES) <= element) {
            value++;
        }
        return value;
    }
}
