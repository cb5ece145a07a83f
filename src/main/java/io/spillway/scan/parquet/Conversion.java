package io.spillway.scan.parquet;

import io.spillway.batch.OffHeap;

/**
 * How a value in a page becomes one of fixed width in a vector. Decimals become 16 bytes in two's
 * complement, little-endian; in pages they are integers, or two's complement big-endian.
 */
sealed interface Conversion {

    /** Bytes of a value in the vector. */
    int width();

    /**
     * Reads so many values from the page to an address.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the page ends before
     */
    void read(Page page, long out, int values);

    /** Passes over values. */
    void skip(Page page, int values);

    /** The least number of bytes that so many values take in a page. */
    long leastBytes(int values);

    /** What reads the same number of bytes for each value. */
    sealed interface Fixed extends Conversion {

        /** Bytes of a value in the page. */
        int pageWidth();

        /** Converts values that are known to be there. */
        void convert(long in, long out, int values);

        @Override
        default void read(Page page, long out, int values) {
            convert(page.take((long) values * pageWidth()), out, values);
        }

        @Override
        default void skip(Page page, int values) {
            page.take((long) values * pageWidth());
        }

        @Override
        default long leastBytes(int values) {
            return (long) values * pageWidth();
        }
    }

    /** Bytes as they are. */
    record Copy(int width) implements Fixed {

        @Override
        public int pageWidth() {
            return width;
        }

        @Override
        public void convert(long in, long out, int values) {
            OffHeap.copy(in, out, (long) values * width);
        }
    }

    /** The low 8 or 16 bits of 32. */
    record Narrow(int width) implements Fixed {

        @Override
        public int pageWidth() {
            return Integer.BYTES;
        }

        @Override
        public void convert(long in, long out, int values) {
            if (width == Byte.BYTES) {
                for (int i = 0; i < values; i++) {
                    OffHeap.putByte(out + i, (byte) OffHeap.getInt(in + 4L * i));
                }
            } else {
                for (int i = 0; i < values; i++) {
                    OffHeap.putShort(out + 2L * i, (short) OffHeap.getInt(in + 4L * i));
                }
            }
        }
    }

    /** An integer of 32 or 64 bits as a decimal. */
    record IntegerDecimal(int pageWidth) implements Fixed {

        @Override
        public int width() {
            return 16;
        }

        @Override
        public void convert(long in, long out, int values) {
            boolean isLong = pageWidth == Long.BYTES;
            for (int i = 0; i < values; i++) {
                long value = isLong ? OffHeap.getLong(in + 8L * i) : OffHeap.getInt(in + 4L * i);
                OffHeap.putLong(out + 16L * i, value);
                OffHeap.putLong(out + 16L * i + 8, value >> 63);
            }
        }
    }

    /** A big-endian number of up to 16 bytes as a decimal. */
    record FixedDecimal(int pageWidth) implements Fixed {

        @Override
        public int width() {
            return 16;
        }

        @Override
        public void convert(long in, long out, int values) {
            for (int i = 0; i < values; i++) {
                putBigEndian(in + (long) pageWidth * i, pageWidth, out + 16L * i);
            }
        }
    }

    /** A byte array that holds a big-endian number as a decimal. */
    record BytesDecimal() implements Conversion {

        @Override
        public int width() {
            return 16;
        }

        @Override
        public void read(Page page, long out, int values) {
            for (int i = 0; i < values; i++) {
                int length = OffHeap.getInt(page.take(Integer.BYTES));
                long in = page.take(length);
                if (length > 16) {
                    throw page.place().corrupt("A decimal has " + length + " bytes");
                }
                putBigEndian(in, length, out + 16L * i);
            }
        }

        @Override
        public void skip(Page page, int values) {
            for (int i = 0; i < values; i++) {
                page.take(OffHeap.getInt(page.take(Integer.BYTES)));
            }
        }

        @Override
        public long leastBytes(int values) {
            return (long) values * Integer.BYTES;
        }
    }

    private static void putBigEndian(long in, int length, long out) {
        long high = length > 0 && OffHeap.getUnsignedByte(in) > 127 ? -1 : 0;
        long low = high;
        for (int i = 0; i < length; i++) {
            high = high << 8 | low >>> 56;
            low = low << 8 | OffHeap.getUnsignedByte(in + i);
        }
        OffHeap.putLong(out, low);
        OffHeap.putLong(out + 8, high);
    }
}
