package io.spillway.scan.parquet.value;

import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.page.Page;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.format.Encoding;

/**
 * The values of one page that are byte arrays of any length, in one of their encodings. Values are
 * taken in two steps, {@link #ends} and {@link #copy}, so that room for them can be made between;
 * the second is for as many values as the first, at once after it.
 */
sealed interface ByteArrays extends AutoCloseable
        permits PlainByteArrays, DeltaLengthByteArrays, DeltaByteArrays, Int96Texts {

    /**
     * What reads an encoding.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_SUPPORTED} for one that byte
     *     arrays cannot have
     */
    static ByteArrays of(Encoding encoding, BufferAllocator allocator, Place place) {
        return switch (encoding) {
            case PLAIN -> new PlainByteArrays();
            case DELTA_LENGTH_BYTE_ARRAY -> new DeltaLengthByteArrays(allocator, place);
            case DELTA_BYTE_ARRAY -> new DeltaByteArrays(allocator, place);
            case PLAIN_DICTIONARY,
                    RLE_DICTIONARY,
                    RLE,
                    BIT_PACKED,
                    DELTA_BINARY_PACKED,
                    BYTE_STREAM_SPLIT ->
                    throw place.notSupported("Encoding " + encoding + " of byte arrays");
        };
    }

    /**
     * Begins with a page, the one that is read until the next is begun.
     *
     * @param most how many values there may be
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}
     */
    void start(Page page, int most);

    /** Whether there can be so many values; not all of them need be whole. */
    boolean mayHold(Page page, int values);

    /**
     * How many of the next values take no more bytes than given, and one more; all if they do.
     * Makes no errors: a page that ends before them will be found out when they are read.
     */
    int fits(Page page, int values, long bytes);

    /**
     * Writes where each of the next values ends, 4 bytes each, if they are put side by side.
     *
     * @param from where the first starts
     * @return their length in all; if it does not fit an integer, the ends are not to be used
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the page ends before
     */
    long ends(Page page, int values, int from, long out);

    /**
     * Writes the bytes of the values, side by side; may write up to {@link Buffers#PADDING} bytes
     * behind them.
     *
     * @param from as it was for {@link #ends}
     * @param ends what that wrote
     */
    void copy(int values, int from, long ends, long out);

    /** Passes over values. */
    void skip(Page page, int values);

    /** Frees what is kept between calls. */
    @Override
    void close();
}
