package io.spillway.encode;

import io.spillway.batch.OffHeap;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/** Which values of a vector to write, in order. */
sealed interface Picks {

    /** In place of the position of a null; the only one that is negative. */
    int NONE = -1;

    /** How many. */
    int count();

    /** How many of them are null. */
    int nulls(FieldVector vector);

    /** Writes their bitmap of validity. */
    void writeValidity(FieldVector vector, long target);

    /** Neighbours, nulls among them. */
    record Run(int from, int count) implements Picks {

        @Override
        public int nulls(FieldVector vector) {
            return Bits.zeros(vector.getValidityBuffer().memoryAddress(), from, count);
        }

        @Override
        public void writeValidity(FieldVector vector, long target) {
            Bits.copy(vector.getValidityBuffer().memoryAddress(), from, count, target);
        }

        /** The same values, by their positions. */
        Picked picked(FieldVector vector) {
            int[] at = new int[count];
            Arrays.setAll(at, i -> from + i);
            return of(at, vector);
        }
    }

    /** Values here and there. */
    sealed class Picked implements Picks permits Entries {

        /** The position of each, which is not null there; or {@link #NONE} for a null. */
        final int[] at;

        Picked(int[] at) {
            this.at = at;
        }

        @Override
        public int count() {
            return at.length;
        }

        @Override
        public int nulls(FieldVector vector) {
            int nulls = 0;
            for (int position : at) {
                nulls += position >>> (Integer.SIZE - 1);
            }
            return nulls;
        }

        @Override
        public void writeValidity(FieldVector vector, long target) {
            for (int i = 0; i < at.length; i += Long.SIZE) {
                int bits = Math.min(Long.SIZE, at.length - i);
                long word = 0;
                for (int k = 0; k < bits; k++) {
                    word |= (long) (~at[i + k] >>> (Integer.SIZE - 1)) << k;
                }
                Bits.put(target + (i >>> 3), word, bits);
            }
        }
    }

    /** Entries of a dictionary, which has no nulls: those of the indices are the values'. */
    final class Entries extends Picked {

        private final Run indices;
        private final IntVector vector;

        private Entries(int[] at, Run indices, IntVector vector) {
            super(at);
            this.indices = indices;
            this.vector = vector;
        }

        @Override
        public int nulls(FieldVector entries) {
            return indices.nulls(vector);
        }

        @Override
        public void writeValidity(FieldVector entries, long target) {
            indices.writeValidity(vector, target);
        }
    }

    /** Entries of a dictionary, by their indices {@code [from, from + count)}. */
    static Picked entries(IntVector indices, int from, int count) {
        int[] at = new int[count];
        long source = indices.getDataBuffer().memoryAddress() + (long) Integer.BYTES * from;
        OffHeap.read(source, at, 0, count);
        long validity = indices.getValidityBuffer().memoryAddress();
        for (int i = 0; i < count; i += Long.SIZE) {
            int bits = Math.min(Long.SIZE, count - i);
            long nulls = ~Bits.word(validity, from + i, bits) & Bits.mask(bits);
            for (; nulls != 0; nulls &= nulls - 1) {
                at[i + Long.numberOfTrailingZeros(nulls)] = NONE;
            }
        }
        return new Entries(at, new Run(from, count), indices);
    }

    /** Values at positions, or {@link #NONE}; those that are null there become that, too. */
    static Picked of(int[] positions, FieldVector vector) {
        int[] at = positions.clone();
        long validity = vector.getValidityBuffer().memoryAddress();
        for (int i = 0; i < at.length; i++) {
            if (at[i] >= 0 && !Bits.get(validity, at[i])) {
                at[i] = NONE;
            }
        }
        return new Picked(at);
    }
}
