package io.spillway.scan.parquet.index;

import io.spillway.scan.parquet.bytes.ThriftBounds;
import io.spillway.scan.parquet.footer.Footer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * Where the data pages of a chunk are, and which rows they hold. Columns do not share their pages'
 * borders: each has an index of its own.
 *
 * <p>An index that contradicts its chunk is as if it were not there, and the chunk is read from its
 * start, since no row has been handed out by it yet. What only shows when a page is read, that its
 * header tells of other rows, is {@code FILE_CORRUPT}.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/PageIndex.md">Parquet page
 *     index</a>
 */
public final class OffsetIndex {

    private final long[] offsets;
    private final int[] sizes;
    private final long[] firstRows;
    private final long rows;

    private OffsetIndex(long[] offsets, int[] sizes, long[] firstRows, long rows) {
        this.offsets = offsets;
        this.sizes = sizes;
        this.firstRows = firstRows;
        this.rows = rows;
    }

    /**
     * Reads an index.
     *
     * @param bytes the Thrift struct, and perhaps more
     * @param rows rows of the row group
     * @return null if it is damaged, or is not that of such a chunk: pages must lie in the chunk,
     *     one behind the other, and their first rows ascend from 0 within the row group
     */
    public static @Nullable OffsetIndex read(byte[] bytes, Footer.Chunk chunk, long rows) {
        if (ThriftBounds.structLength(ByteBuffer.wrap(bytes)) < 0) {
            return null;
        }
        List<PageLocation> pages;
        try {
            pages = Util.readOffsetIndex(new ByteArrayInputStream(bytes)).getPage_locations();
        } catch (IOException | RuntimeException e) {
            return null;
        }
        if (pages == null || pages.isEmpty()) {
            return null;
        }
        int count = pages.size();
        OffsetIndex index = new OffsetIndex(new long[count], new int[count], new long[count], rows);
        long free = chunk.offset();
        long nextRow = 0;
        for (int i = 0; i < count; i++) {
            PageLocation page = pages.get(i);
            long offset = page.getOffset();
            int size = page.getCompressed_page_size();
            long firstRow = page.getFirst_row_index();
            boolean possible =
                    offset >= free
                            && size > 0
                            && offset <= chunk.end() - size
                            && firstRow >= nextRow
                            && firstRow <= rows
                            && firstRow - nextRow <= Integer.MAX_VALUE
                            && (i > 0 || firstRow == 0);
            if (!possible) {
                return null;
            }
            index.offsets[i] = offset;
            index.sizes[i] = size;
            index.firstRows[i] = firstRow;
            free = offset + size;
            nextRow = firstRow;
        }
        return rows - nextRow <= Integer.MAX_VALUE ? index : null;
    }

    /** Rows of the row group. */
    long rows() {
        return rows;
    }

    int pages() {
        return offsets.length;
    }

    /** Where the page's header starts. */
    long offset(int page) {
        return offsets[page];
    }

    /** Length of the page with its header. */
    int size(int page) {
        return sizes[page];
    }

    /** The first row that starts in the page. */
    long firstRow(int page) {
        return firstRows[page];
    }

    /** The row after the last that starts in the page. */
    long endRow(int page) {
        return page + 1 < firstRows.length ? firstRows[page + 1] : rows;
    }

    /** Bytes of all pages. */
    long bytes() {
        long sum = 0;
        for (int size : sizes) {
            sum += size;
        }
        return sum;
    }
}
