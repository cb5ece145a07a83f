package io.spillway.scan.parquet;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;

/**
 * Turns PLAIN values of one column into an Arrow vector, a page's part of a batch at a time.
 *
 * <pre>
 * begin(rows) → (plain | gather)* → finish | abort
 * </pre>
 *
 * Used by one thread at a time. Each part states where its rows start, which of them are valid (a
 * bitmap over all rows of the vector), and how many those are; values of null rows become zero
 * bytes.
 */
interface ValueDecoder {

    /** Makes room for so many rows. */
    void begin(int rows);

    /**
     * Appends rows whose values stand next in the page.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the page ends before
     */
    void plain(Page page, long validity, int firstRow, int rows, int valid);

    /**
     * Appends rows whose values stand in a dictionary.
     *
     * @param dictionary a vector that this decoder made; not empty unless no row is valid
     * @param indices one 4-byte index a row, checked; those of null rows are 0
     */
    void gather(
            FieldVector dictionary, long indices, long validity, int firstRow, int rows, int valid);

    /**
     * The vector, the caller's; takes over the bitmap.
     *
     * @param nulls number of rows that are not valid
     */
    FieldVector finish(ArrowBuf validity, int rows, int nulls);

    /** Frees what {@link #begin} made, if anything. */
    void abort();

    /** Passes over values that stand next in the page. */
    void skip(Page page, int values);

    /** The least number of bytes that so many values take in a page. */
    long leastBytes(int values);
}
