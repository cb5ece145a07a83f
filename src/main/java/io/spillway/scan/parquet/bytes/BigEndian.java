package io.spillway.scan.parquet.bytes;

import io.spillway.batch.OffHeap;

/** Big-endian two's complement numbers of any length as decimals of 16 bytes, little-endian. */
public final class BigEndian {

    /** Bytes of a decimal in a vector. */
    public static final int BYTES = 16;

    /** 10 to the 38th: what a decimal stays below, whatever its sign. */
    private static final long LIMIT_HIGH = 0x4B3B4CA85A86C47AL;

    private static final long LIMIT_LOW = 0x098A224000000000L;

    private BigEndian() {}

    /**
     * Writes a decimal; may read up to 8 bytes behind the number.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if it has more than 38
     *     digits, which no decimal that can be read may have
     */
    public static void decimal(long in, int length, long out, Place place) {
        if (length <= Long.BYTES) {
            long value =
                    length == 0
                            ? 0
                            : Long.reverseBytes(OffHeap.getLong(in))
                                    >> (Long.SIZE - Byte.SIZE * length);
            put(out, value, value >> 63);
            return;
        }
        long low = Long.reverseBytes(OffHeap.getLong(in + length - 8));
        long high;
        if (length <= BYTES) {
            high = Long.reverseBytes(OffHeap.getLong(in)) >> (Long.SIZE * 2 - Byte.SIZE * length);
        } else {
            high = Long.reverseBytes(OffHeap.getLong(in + length - 16));
            int sign = (int) (high >> 63) & 0xFF;
            for (int i = 0; i < length - BYTES; i++) {
                if (OffHeap.getUnsignedByte(in + i) != sign) {
                    throw tooLarge(length, place);
                }
            }
        }
        if (!fits(low, high)) {
            throw tooLarge(length, place);
        }
        put(out, low, high);
    }

    private static boolean fits(long low, long high) {
        if (high >= 0) {
            return high < LIMIT_HIGH
                    || (high == LIMIT_HIGH && Long.compareUnsigned(low, LIMIT_LOW) < 0);
        }
        return high >= -LIMIT_HIGH
                || (high == ~LIMIT_HIGH && Long.compareUnsigned(low, -LIMIT_LOW) > 0);
    }

    private static void put(long out, long low, long high) {
        OffHeap.putLong(out, low);
        OffHeap.putLong(out + 8, high);
    }

    private static RuntimeException tooLarge(int length, Place place) {
        return place.corrupt("A decimal of " + length + " bytes has more than 38 digits");
    }
}
