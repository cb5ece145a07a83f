package io.spillway.operator;

/**
 * Numbers that look drawn at random, and are a function of a seed and a row number alone: what a
 * sample decides by, whoever reads which rows in what order.
 *
 * <p>This is SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators",
 * OOPSLA 2014), the generator behind {@link java.util.SplittableRandom}, with David Stafford's 13th
 * variant of MurmurHash3's finaliser as its mix: element {@code n} of its sequence can be computed
 * without those before it. The seed is mixed first, so that neighbouring seeds give sequences that
 * have nothing in common.
 */
public final class RowHash {

    /** The golden ratio as a 64-bit fraction, made odd. */
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private final long start;

    public RowHash(long seed) {
        this.start = mix(seed + GAMMA);
    }

    /** 64 bits for a row. */
    public long of(long row) {
        return mix(start + (row + 1) * GAMMA);
    }

    private static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
        return b ^ (b >>> 31);
    }
}
