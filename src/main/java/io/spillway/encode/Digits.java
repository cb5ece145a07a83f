package io.spillway.encode;

/** Integers as decimal digits, two at a time. All methods write at an index and return the next. */
final class Digits {

    /** The two digits of 0 to 99, the first in the lower byte. */
    private static final short[] PAIRS = new short[100];

    /** The digits of 0 to 999, the first in the lowest byte; how many they are in the highest. */
    private static final int[] SMALL = new int[1000];

    private static final int SMALL_LENGTH = 3 * Byte.SIZE;

    private static final long[] POWERS_OF_TEN = new long[19];

    static {
        for (int i = 0; i < PAIRS.length; i++) {
            PAIRS[i] = (short) (('0' + i / 10) | ('0' + i % 10) << Byte.SIZE);
        }
        for (int i = 0; i < SMALL.length; i++) {
            String digits = Integer.toString(i);
            for (int k = 0; k < digits.length(); k++) {
                SMALL[i] |= digits.charAt(k) << (k * Byte.SIZE);
            }
            SMALL[i] |= digits.length() << SMALL_LENGTH;
        }
        long power = 1;
        for (int i = 0; i < POWERS_OF_TEN.length; i++) {
            POWERS_OF_TEN[i] = power;
            power *= 10;
        }
    }

    private Digits() {}

    /** Two digits as they stand in memory, to be put into a word. */
    static long pair(int value) {
        return PAIRS[value];
    }

    /** How many digits a number from 0 to 2^63 - 1 has. */
    static int count(long value) {
        // log10(2) is about 1233 / 4096.
        long v = value | 1;
        int guess = ((Long.SIZE - Long.numberOfLeadingZeros(v)) * 1233) >>> 12;
        return v < POWERS_OF_TEN[guess] ? guess : guess + 1;
    }

    static int signed(byte[] out, int at, long value) {
        if (value >= 0) {
            return plain(out, at, value);
        }
        out[at] = '-';
        // The smallest number's absolute value is only right when read as unsigned.
        return unsigned(out, at + 1, -value);
    }

    /** All 64 bits as a magnitude. */
    static int unsigned(byte[] out, int at, long value) {
        if (value >= 0) {
            return plain(out, at, value);
        }
        long hundreds = (value >>> 1) / 50;
        int next = plain(out, at, hundreds);
        return two(out, next, (int) (value - hundreds * 100));
    }

    /** A number from 0 to 2^63 - 1. May write up to three bytes more. */
    static int plain(byte[] out, int at, long value) {
        if (value < SMALL.length) {
            int small = SMALL[(int) value];
            Words.INT.set(out, at, small);
            return at + (small >>> SMALL_LENGTH);
        }
        int next = at + count(value);
        int p = next;
        long v = value;
        while (v > Integer.MAX_VALUE) {
            long hundreds = v / 100;
            p -= 2;
            two(out, p, (int) (v - hundreds * 100));
            v = hundreds;
        }
        int i = (int) v;
        while (i >= 100) {
            int hundreds = i / 100;
            p -= 2;
            two(out, p, i - hundreds * 100);
            i = hundreds;
        }
        if (i >= 10) {
            two(out, p - 2, i);
        } else {
            out[p - 1] = (byte) ('0' + i);
        }
        return next;
    }

    /** A number from 0 to 99 as two digits. */
    static int two(byte[] out, int at, int value) {
        Words.SHORT.set(out, at, PAIRS[value]);
        return at + 2;
    }

    /** A number below 10^9 as exactly {@code count} digits, with leading zeros. */
    static int padded(byte[] out, int at, int value, int count) {
        int p = at + count;
        int v = value;
        while (p - at >= 2) {
            int hundreds = v / 100;
            p -= 2;
            two(out, p, v - hundreds * 100);
            v = hundreds;
        }
        if (p > at) {
            out[at] = (byte) ('0' + v);
        }
        return at + count;
    }
}
