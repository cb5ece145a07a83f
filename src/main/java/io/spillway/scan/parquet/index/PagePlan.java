package io.spillway.scan.parquet.index;

import java.util.Arrays;

/**
 * Which pages of a chunk hold wanted rows, and where they are. A page without rows is not wanted.
 * Immutable.
 */
public final class PagePlan {

    private final OffsetIndex index;
    private final int[] pages;

    private PagePlan(OffsetIndex index, int[] pages) {
        this.index = index;
        this.pages = pages;
    }

    /** The pages that hold some of the rows. */
    public static PagePlan of(OffsetIndex index, RowRanges rows) {
        int[] pages = new int[index.pages()];
        int count = 0;
        for (int i = 0; i < index.pages(); i++) {
            if (rows.overlaps(index.firstRow(i), index.endRow(i))) {
                pages[count++] = i;
            }
        }
        return new PagePlan(index, Arrays.copyOf(pages, count));
    }

    /** Rows of the row group. */
    public long rows() {
        return index.rows();
    }

    /** Number of wanted pages. */
    public int size() {
        return pages.length;
    }

    /** Number of pages that are not wanted. */
    int left() {
        return index.pages() - pages.length;
    }

    /** Bytes of the pages that are not wanted. */
    public long bytesLeft() {
        long sum = index.bytes();
        for (int page : pages) {
            sum -= index.size(page);
        }
        return sum;
    }

    /** Where the chunk's first data page starts, wanted or not. */
    public long dataStart() {
        return index.offset(0);
    }

    /** Position in the file of a wanted page. */
    public long start(int wanted) {
        return index.offset(pages[wanted]);
    }

    /** Position in the file after a wanted page. */
    public long end(int wanted) {
        return start(wanted) + index.size(pages[wanted]);
    }

    /** Number, in the row group, of the first row of a wanted page. */
    public long firstRow(int wanted) {
        return index.firstRow(pages[wanted]);
    }

    /** Number of rows of a wanted page. */
    public int rows(int wanted) {
        return (int) (index.endRow(pages[wanted]) - index.firstRow(pages[wanted]));
    }

    /** Where the run of bytes ends that starts with a wanted page and has nothing else in it. */
    public long runEnd(int wanted) {
        int last = wanted;
        while (last + 1 < pages.length && start(last + 1) == end(last)) {
            last++;
        }
        return end(last);
    }
}
