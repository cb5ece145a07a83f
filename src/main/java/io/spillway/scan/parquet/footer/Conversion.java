package io.spillway.scan.parquet.footer;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.BigEndian;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.value.FixedValues;

/**
 * How a value of fixed width in a page becomes one in a vector. Decimals become 16 bytes in two's
 * complement, little-endian; in pages they are integers, or two's complement big-endian.
 */
public sealed interface Conversion {

    /** Bytes of a value in the vector. */
    int width();

    /** Bytes of a PLAIN value in the page. */
    int pageWidth();

    /**
     * Converts values that are known to be there; may read up to {@link Buffers#PADDING} bytes
     * behind them.
     *
     * @throws io.spillway.error.SpillwayException as {@link FixedValues#read}
     */
    void convert(long in, long out, int values);

    /** Bytes as they are. */
    record Copy(int width) implements Conversion {

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
    record Narrow(int width) implements Conversion {

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
    record IntegerDecimal(int pageWidth) implements Conversion {

        @Override
        public int width() {
            return BigEndian.BYTES;
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

    /**
     * An INT96 timestamp as a 64-bit count of some unit since the epoch, exact or not at all.
     *
     * @param unitNanos nanoseconds of the unit
     */
    record Int96Timestamp(long unitNanos, Place place) implements Conversion {

        @Override
        public int width() {
            return Long.BYTES;
        }

        @Override
        public int pageWidth() {
            return Int96Time.BYTES;
        }

        @Override
        public void convert(long in, long out, int values) {
            Int96Time time = new Int96Time();
            long perDay = Int96Time.NANOS_PER_DAY / unitNanos;
            long mostDays = Long.MAX_VALUE / perDay;
            for (int i = 0; i < values; i++) {
                time.set(in + (long) Int96Time.BYTES * i);
                long units = time.nanos() / unitNanos;
                // Days before the epoch are counted to their end, or the first would overflow.
                int toEnd = time.day() < 0 ? 1 : 0;
                long whole = (time.day() + toEnd) * perDay;
                long rest = units - toEnd * perDay;
                long count = whole + rest;
                boolean overflow = ((whole ^ count) & (rest ^ count)) < 0;
                if (overflow
                        || Math.abs(time.day() + toEnd) > mostDays
                        || units * unitNanos != time.nanos()) {
                    throw misfit(time);
                }
                OffHeap.putLong(out + 8L * i, count);
            }
        }

        private RuntimeException misfit(Int96Time time) {
            return place.failure(
                    ErrorCode.INVALID_CAST,
                    "The INT96 timestamp %s is no 64-bit number of %s; another unit or text may"
                                    .formatted(
                                            time, unitNanos == 1 ? "nanoseconds" : "microseconds")
                            + " hold it; it stands",
                    null);
        }
    }

    /** A big-endian number of any length as a decimal. */
    record FixedDecimal(int pageWidth, Place place) implements Conversion {

        @Override
        public int width() {
            return BigEndian.BYTES;
        }

        @Override
        public void convert(long in, long out, int values) {
            for (int i = 0; i < values; i++) {
                BigEndian.decimal(in + (long) pageWidth * i, pageWidth, out + 16L * i, place);
            }
        }
    }
}
