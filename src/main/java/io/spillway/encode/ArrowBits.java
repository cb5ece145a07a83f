package io.spillway.encode;

import org.apache.arrow.vector.FieldVector;

/** Truth values, a bit each. */
record ArrowBits() implements ArrowNode {

    @Override
    public Write layout(FieldVector vector, Picks picks, ArrowLayout layout) {
        long validityAt = layout.field(picks.count(), picks.nulls(vector));
        long dataAt = layout.buffer(Bits.bytes(picks.count()));
        return body -> {
            long validity = body + validityAt;
            picks.writeValidity(vector, validity);
            long source = vector.getDataBuffer().memoryAddress();
            int count = picks.count();
            for (int i = 0; i < count; i += Long.SIZE) {
                int bits = Math.min(Long.SIZE, count - i);
                long word =
                        switch (picks) {
                            case Picks.Run(int from, int _) ->
                                    Bits.word(source, from + i, bits)
                                            & Bits.word(validity, i, bits);
                            case Picks.Picked picked -> gather(source, picked.at, i, bits);
                        };
                Bits.put(body + dataAt + (i >>> 3), word, bits);
            }
            return -1;
        };
    }

    private static long gather(long source, int[] at, int from, int count) {
        long word = 0;
        for (int k = 0; k < count; k++) {
            int p = at[from + k];
            word |= p >= 0 && Bits.get(source, p) ? 1L << k : 0;
        }
        return word;
    }
}
