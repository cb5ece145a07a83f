package io.spillway.scan.parquet.value;

import io.spillway.scan.parquet.page.Page;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.format.Encoding;

/**
 * Turns values of one leaf column into an Arrow vector, a page's part of a batch at a time.
 *
 * <pre>
 * begin(rows) → (reserve | startPage | read | skip | gather)* → finish | abort
 * </pre>
 *
 * A page is begun once, wherever in a vector that happens; a vector may take values of many pages,
 * and a page may fill many vectors. Used by one thread at a time. Each part states where its rows
 * start, which of them are valid (a bitmap over all rows of the vector), and how many those are;
 * values of null rows become zero bytes.
 */
public interface ValueDecoder {

    /**
     * Begins with the values of a page, whose levels have been read; not called for pages of
     * dictionary indices. What is left of the page before is forgotten.
     *
     * @param values how many there are at most: the page's, with those of null rows
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_SUPPORTED} for an encoding that
     *     such values cannot have, {@code FILE_CORRUPT}
     */
    void startPage(Page page, Encoding encoding, int values);

    /** Begins a vector, with room for so many rows. */
    void begin(int rows);

    /**
     * Makes room for so many rows in all in the vector under way, and keeps those that are there;
     * grows by doubling at least.
     */
    void reserve(int rows);

    /**
     * How many of the values that stand next in the page can be appended before the vector under
     * way is full: 0 if it is full, else at least 1. Only values of any length fill a vector, and
     * only the last of them reaches over its limit; what is appended all the same is taken.
     */
    int fits(Page page, int values);

    /**
     * As {@link #fits(Page, int)}, for values that stand in a dictionary.
     *
     * @param indices one 4-byte index a value, checked
     */
    int fits(FieldVector dictionary, long indices, int values);

    /**
     * Appends rows whose values stand next in the page.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the page ends before
     */
    void read(Page page, long validity, int firstRow, int rows, int valid);

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

    /**
     * Frees what {@link #begin} made, if anything, and what is kept of the page; nothing else may
     * follow.
     */
    void abort();

    /** Passes over values that stand next in the page. */
    void skip(Page page, int values);

    /**
     * Whether what is left of the page, whose values have been begun, can be so many values: false
     * only if they surely cannot be read.
     */
    boolean mayHold(Page page, int values);
}
