package io.spillway.scan.parquet.value;

import io.spillway.scan.parquet.page.Page;
import org.apache.parquet.format.Encoding;

/** The values of a column's pages as a vector has them, the same number of bytes each. */
public sealed interface FixedValues extends AutoCloseable permits ConvertedValues, BytesDecimals {

    /** Bytes of a value in the vector. */
    int width();

    /** As {@link ValueDecoder#startPage}. */
    void startPage(Page page, Encoding encoding, int most);

    /**
     * Reads the next values of the page to an address, and writes nothing behind them.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the page ends before, or
     *     a value cannot be what the column's type says; {@code INVALID_CAST} for a value that is
     *     as it should be, but does not fit the vector's type
     */
    void read(Page page, long out, int values);

    /** Passes over values. */
    void skip(Page page, int values);

    /** As {@link ValueDecoder#mayHold}. */
    boolean mayHold(Page page, int values);

    /** Frees what is kept between calls. */
    @Override
    void close();
}
