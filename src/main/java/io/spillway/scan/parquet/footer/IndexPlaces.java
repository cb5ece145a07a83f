package io.spillway.scan.parquet.footer;

import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;

/**
 * Where a file has what tells more of a column chunk: all within the file, before its footer.
 *
 * @param columnIndexBytes length of the bounds of its pages; 0 if there are none that can be used
 * @param offsetIndexBytes length of the places of its pages; 0 if there are none
 * @param bloomFilter where its bloom filter starts, or 0 if it has none
 * @param bloomFilterBytes length of the filter, or 0 if the file does not tell
 */
public record IndexPlaces(
        long columnIndex,
        int columnIndexBytes,
        long offsetIndex,
        int offsetIndexBytes,
        long bloomFilter,
        int bloomFilterBytes) {

    /** A chunk without indexes. */
    public static final IndexPlaces NONE = new IndexPlaces(0, 0, 0, 0, 0, 0);

    /** This object's heap. */
    private static final int WEIGHT = 56;

    /** A larger index is left aside; it tells of hundreds of thousands of pages. */
    private static final int MAX_INDEX = 16 << 20;

    /** The first place behind the file's magic. */
    private static final int DATA_START = 4;

    /**
     * What a footer says; places that cannot be are as if they were not there.
     *
     * @param ordered whether the order of bounds is known
     * @param dataEnd where in the file the footer starts
     */
    public static IndexPlaces of(
            ColumnChunk chunk, ColumnMetaData m, boolean ordered, long dataEnd) {
        long columnIndex = chunk.getColumn_index_offset();
        long offsetIndex = chunk.getOffset_index_offset();
        int columnIndexBytes =
                ordered ? length(columnIndex, chunk.getColumn_index_length(), dataEnd) : 0;
        int offsetIndexBytes = length(offsetIndex, chunk.getOffset_index_length(), dataEnd);
        long bloomFilter = m.getBloom_filter_offset();
        boolean hasBloomFilter =
                m.isSetBloom_filter_offset() && bloomFilter >= DATA_START && bloomFilter < dataEnd;
        if (columnIndexBytes == 0 && offsetIndexBytes == 0 && !hasBloomFilter) {
            return NONE;
        }
        return new IndexPlaces(
                columnIndex,
                columnIndexBytes,
                offsetIndex,
                offsetIndexBytes,
                hasBloomFilter ? bloomFilter : 0,
                hasBloomFilter ? length(bloomFilter, m.getBloom_filter_length(), dataEnd) : 0);
    }

    /** Bytes of heap that this takes. */
    long weight() {
        return equals(NONE) ? 0 : WEIGHT;
    }

    private static int length(long offset, int length, long dataEnd) {
        boolean possible =
                length > 0
                        && length <= MAX_INDEX
                        && offset >= DATA_START
                        && offset <= dataEnd - length;
        return possible ? length : 0;
    }
}
