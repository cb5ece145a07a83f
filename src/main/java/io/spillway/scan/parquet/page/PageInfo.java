package io.spillway.scan.parquet.page;

import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * A page's header, checked against its chunk.
 *
 * @param values entries of a dictionary, else values, nulls included
 * @param encoding of the values
 * @param levelEncoding of the definition levels
 * @param repetitionEncoding of the repetition levels
 * @param compressedBytes length in the file, without the header
 * @param uncompressedBytes length once decompressed
 * @param compressed whether the values are compressed, if the chunk's codec compresses
 * @param levelBytes bytes of levels in front of the values that are never compressed: those of
 *     version 2, repetition levels first
 * @param repetitionBytes how many of them are repetition levels
 * @param checksum CRC-32 of the bytes as they are in the file
 * @param firstRow the row group's row that the page starts with, as the offset index tells, or -1:
 *     the page follows the one before it
 * @param rows rows that start in the page, as the header of version 2 or the offset index tells, or
 *     -1 if nothing does
 */
public record PageInfo(
        Kind kind,
        int values,
        Encoding encoding,
        Encoding levelEncoding,
        Encoding repetitionEncoding,
        int compressedBytes,
        int uncompressedBytes,
        boolean compressed,
        int levelBytes,
        int repetitionBytes,
        @Nullable Integer checksum,
        long firstRow,
        int rows) {

    /** Nothing tells. */
    public static final int UNKNOWN = -1;

    /** The same page, at the place among the rows that an offset index tells. */
    PageInfo at(long row, int count) {
        return new PageInfo(
                kind,
                values,
                encoding,
                levelEncoding,
                repetitionEncoding,
                compressedBytes,
                uncompressedBytes,
                compressed,
                levelBytes,
                repetitionBytes,
                checksum,
                row,
                count);
    }

    /** What a page holds. */
    public enum Kind {
        DICTIONARY,
        DATA,
        DATA_V2,
        /** Something that readers pass over. */
        OTHER
    }
}
