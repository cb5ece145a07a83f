package io.spillway.encode;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/** Values of one width in whole bytes. */
record ArrowFixed(int width) implements ArrowNode {

    @Override
    public Write layout(FieldVector vector, Picks picks, ArrowLayout layout) {
        int nulls = picks.nulls(vector);
        long validityAt = layout.field(picks.count(), nulls);
        long dataAt = layout.buffer((long) width * picks.count());
        return body -> {
            picks.writeValidity(vector, body + validityAt);
            long source = vector.getDataBuffer().memoryAddress();
            long target = body + dataAt;
            switch (picks) {
                case Picks.Run(int from, int count) -> {
                    OffHeap.copy(source + (long) width * from, target, (long) width * count);
                    if (nulls > 0) {
                        clearNulls(body + validityAt, count, target);
                    }
                }
                case Picks.Picked picked -> gather(source, picked.at, target);
            }
            return -1;
        };
    }

    private void clearNulls(long validity, int count, long target) {
        for (int i = 0; i < count; i += Long.SIZE) {
            int bits = Math.min(Long.SIZE, count - i);
            long empty = ~Bits.word(validity, i, bits) & Bits.mask(bits);
            for (; empty != 0; empty &= empty - 1) {
                long at = target + (long) width * (i + Long.numberOfTrailingZeros(empty));
                if (width == Long.BYTES) {
                    OffHeap.putLong(at, 0);
                } else {
                    OffHeap.zero(at, width);
                }
            }
        }
    }

    private void gather(long source, int[] at, long target) {
        switch (width) {
            case Short.BYTES -> {
                for (int i = 0; i < at.length; i++) {
                    int p = at[i];
                    OffHeap.putShort(
                            target + 2L * i, p < 0 ? 0 : OffHeap.getShort(source + 2L * p));
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < at.length; i++) {
                    int p = at[i];
                    OffHeap.putInt(target + 4L * i, p < 0 ? 0 : OffHeap.getInt(source + 4L * p));
                }
            }
            case Long.BYTES -> {
                for (int i = 0; i < at.length; i++) {
                    int p = at[i];
                    OffHeap.putLong(target + 8L * i, p < 0 ? 0 : OffHeap.getLong(source + 8L * p));
                }
            }
            default -> {
                for (int i = 0; i < at.length; i++) {
                    long to = target + (long) width * i;
                    if (at[i] < 0) {
                        OffHeap.zero(to, width);
                    } else {
                        OffHeap.copy(source + (long) width * at[i], to, width);
                    }
                }
            }
        }
    }
}
