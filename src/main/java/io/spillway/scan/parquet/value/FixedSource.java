package io.spillway.scan.parquet.value;

import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.page.Page;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * The values of one page that take the same number of bytes each and are not PLAIN, turned into
 * what they would be if they were.
 */
sealed interface FixedSource extends AutoCloseable
        permits DeltaIntegers, SplitBytes, FixedByteArrays {

    /**
     * What reads an encoding of a physical type of that width.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_SUPPORTED} for an encoding that
     *     such values cannot have
     */
    static FixedSource of(
            Encoding encoding,
            PrimitiveTypeName physical,
            int width,
            BufferAllocator allocator,
            Place place) {
        boolean integer =
                physical == PrimitiveTypeName.INT32 || physical == PrimitiveTypeName.INT64;
        boolean bytes = physical == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
        boolean number =
                physical == PrimitiveTypeName.FLOAT || physical == PrimitiveTypeName.DOUBLE;
        if (encoding == Encoding.DELTA_BINARY_PACKED && integer) {
            return new DeltaIntegers(width, place);
        }
        if (encoding == Encoding.DELTA_BYTE_ARRAY && bytes) {
            return new FixedByteArrays(width, allocator, place);
        }
        if (encoding == Encoding.BYTE_STREAM_SPLIT && (integer || number || bytes)) {
            return new SplitBytes(width);
        }
        throw place.notSupported("Encoding " + encoding + " of " + physical);
    }

    /**
     * Begins with a page, the one that is read until the next is begun.
     *
     * @param most how many values there may be
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}
     */
    void start(Page page, int most);

    /**
     * Writes the next values to an address, and nothing behind them.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the page ends before
     */
    void read(Page page, long out, int values);

    /** Whether there are so many values; not all of them need be whole. */
    boolean mayHold(int values);

    /** Passes over values. */
    void skip(Page page, int values);

    /** Frees what is kept between calls. */
    @Override
    void close();
}
