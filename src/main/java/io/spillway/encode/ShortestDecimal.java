package io.spillway.encode;

import tools.jackson.core.io.schubfach.MathUtils;

/**
 * Binary floating-point numbers as the shortest decimal that reads back as the same number, and
 * among those the closest.
 *
 * <p>The algorithm is Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2020,
 * sections 9 and 10), on the table of powers of ten that jackson-core carries. It works on a
 * significand and an exponent, so one implementation serves numbers of 16, 32 and 64 bits. Unlike
 * {@code Double.toString} it gives one digit where one is enough ({@code 5E-324}).
 *
 * <p>Numbers from 10^-6 up to 10^17 are written plain with at least one digit after the point
 * ({@code 1.0}, {@code 0.00001}), all others with an exponent ({@code 1E22}). All methods write at
 * an index, at most {@link #LONGEST} bytes, and return the next index.
 */
final class ShortestDecimal {

    /** The longest text: sign, seven characters of leading zeros, 17 digits. */
    static final int LONGEST = 25;

    private static final long LOW_63_BITS = Long.MAX_VALUE;

    private static final int SMALLEST_PLAIN = -5;
    private static final int LARGEST_PLAIN = 17;

    /** Point and one or two digits of 0 to 99 hundredths, as in memory; length in the top byte. */
    private static final int[] FRACTIONS = new int[100];

    private static final int FRACTION_LENGTH = 3 * Byte.SIZE;

    static {
        for (int i = 0; i < FRACTIONS.length; i++) {
            int tenths = '0' + i / 10;
            int last = '0' + i % 10;
            FRACTIONS[i] =
                    last == '0'
                            ? 2 << FRACTION_LENGTH | tenths << Byte.SIZE | '.'
                            : 3 << FRACTION_LENGTH | last << Short.SIZE | tenths << Byte.SIZE | '.';
        }
    }

    private ShortestDecimal() {}

    /** A finite number. */
    static int float64(byte[] out, int at, double value) {
        long bits = Double.doubleToRawLongBits(value);
        int p = sign(out, at, bits < 0);
        double magnitude = Math.abs(value);
        if (magnitude < 1e13) {
            // Up to 15 digits name one double only, so if whole hundredths are this number, they
            // are its shortest text.
            long hundredths = (long) (magnitude * 100 + 0.5);
            if (hundredths / 100.0 == magnitude) {
                long whole = hundredths / 100;
                return hundredths(
                        out, Digits.plain(out, p, whole), (int) (hundredths - whole * 100));
            }
        }
        int exponent = (int) (bits >>> 52) & 0x7ff;
        long fraction = bits & (1L << 52) - 1;
        return exponent == 0
                ? shortest(out, p, fraction, -1074, false)
                : shortest(
                        out,
                        p,
                        fraction | 1L << 52,
                        exponent - 1075,
                        fraction == 0 && exponent > 1);
    }

    /** A finite number; the text is the shortest that reads back as the same {@code float}. */
    static int float32(byte[] out, int at, float value) {
        int bits = Float.floatToRawIntBits(value);
        int p = sign(out, at, bits < 0);
        float magnitude = Math.abs(value);
        if (magnitude < 1e4f) {
            // The same with six digits.
            int hundredths = (int) (magnitude * 100 + 0.5f);
            if (hundredths < 1_000_000 && hundredths / 100f == magnitude) {
                int whole = hundredths / 100;
                return hundredths(out, Digits.plain(out, p, whole), hundredths - whole * 100);
            }
        }
        int exponent = bits >>> 23 & 0xff;
        int fraction = bits & (1 << 23) - 1;
        return exponent == 0
                ? shortest(out, p, fraction, -149, false)
                : shortest(
                        out, p, fraction | 1 << 23, exponent - 150, fraction == 0 && exponent > 1);
    }

    /** A finite number of 16 bits. */
    static int float16(byte[] out, int at, short bits) {
        int p = sign(out, at, bits < 0);
        int exponent = bits >>> 10 & 0x1f;
        int fraction = bits & (1 << 10) - 1;
        if (exponent == 0 && fraction == 0) {
            return hundredths(out, Digits.plain(out, p, 0), 0);
        }
        return exponent == 0
                ? shortest(out, p, fraction, -24, false)
                : shortest(
                        out, p, fraction | 1 << 10, exponent - 25, fraction == 0 && exponent > 1);
    }

    private static int sign(byte[] out, int at, boolean negative) {
        out[at] = '-';
        return negative ? at + 1 : at;
    }

    /** Point and digits of 0 to 99 hundredths. */
    private static int hundredths(byte[] out, int at, int value) {
        int fraction = FRACTIONS[value];
        Words.INT.set(out, at, fraction);
        return at + (fraction >>> FRACTION_LENGTH);
    }

    /**
     * The number {@code c * 2^q}, above zero.
     *
     * @param irregular whether the next smaller number is only half as far away as the next larger
     */
    private static int shortest(byte[] out, int at, long c, int q, boolean irregular) {
        // Names as in the paper: u and w are the multiples of 10^k next to the number, u' and w'
        // those of 10^(k+1); the number's rounding interval includes its ends if c is even.
        int odd = (int) c & 1;
        long cb = c << 2;
        long cbr = cb + 2;
        long cbl = irregular ? cb - 1 : cb - 2;
        int k = irregular ? MathUtils.flog10threeQuartersPow2(q) : MathUtils.flog10pow2(q);
        int h = q + MathUtils.flog2pow10(-k) + 2;
        long g1 = MathUtils.g1(k);
        long g0 = MathUtils.g0(k);
        long vb = roundToOdd(g1, g0, cb << h);
        long vbl = roundToOdd(g1, g0, cbl << h);
        long vbr = roundToOdd(g1, g0, cbr << h);
        long s = vb >> 2;
        if (s >= 10) {
            long lower = s / 10 * 10;
            long upper = lower + 10;
            boolean lowerIn = vbl + odd <= lower << 2;
            boolean upperIn = (upper << 2) + odd <= vbr;
            if (lowerIn != upperIn) {
                return decimal(out, at, lowerIn ? lower : upper, k);
            }
        }
        long t = s + 1;
        boolean sIn = vbl + odd <= s << 2;
        boolean tIn = (t << 2) + odd <= vbr;
        if (sIn != tIn) {
            return decimal(out, at, sIn ? s : t, k);
        }
        long nearer = vb - ((s + t) << 1);
        return decimal(out, at, nearer < 0 || (nearer == 0 && (s & 1) == 0) ? s : t, k);
    }

    /** {@code (g1 * 2^63 + g0) * cp / 2^127}, its lowest bit set if anything was cut off. */
    private static long roundToOdd(long g1, long g0, long cp) {
        long x1 = Math.multiplyHigh(g0, cp);
        long y0 = g1 * cp;
        long y1 = Math.multiplyHigh(g1, cp);
        long z = (y0 >>> 1) + x1;
        long w = y1 + (z >>> 63);
        return w | ((z & LOW_63_BITS) + LOW_63_BITS) >>> 63;
    }

    /** The number {@code digits * 10^exponent}, above zero. */
    private static int decimal(byte[] out, int at, long digits, int exponent) {
        long f = digits;
        int e = exponent;
        for (long tenth = f / 10; tenth * 10 == f; tenth = f / 10) {
            f = tenth;
            e++;
        }
        int n = Digits.count(f);
        int point = e + n;
        if (point < SMALLEST_PLAIN || point > LARGEST_PLAIN) {
            return scientific(out, at, f, n, point - 1);
        }
        if (point <= 0) {
            int p = at;
            out[p++] = '0';
            out[p++] = '.';
            for (int i = point; i < 0; i++) {
                out[p++] = '0';
            }
            return Digits.plain(out, p, f);
        }
        if (point < n) {
            int next = Digits.plain(out, at + 1, f);
            for (int i = 0; i < point; i++) {
                out[at + i] = out[at + i + 1];
            }
            out[at + point] = '.';
            return next;
        }
        int p = Digits.plain(out, at, f);
        for (int i = n; i < point; i++) {
            out[p++] = '0';
        }
        out[p] = '.';
        out[p + 1] = '0';
        return p + 2;
    }

    private static int scientific(byte[] out, int at, long digits, int count, int exponent) {
        int p = Digits.plain(out, at + 1, digits);
        out[at] = out[at + 1];
        if (count == 1) {
            p = at + 1;
        } else {
            out[at + 1] = '.';
        }
        out[p] = 'E';
        return Digits.signed(out, p + 1, exponent);
    }
}
