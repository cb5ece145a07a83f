package io.spillway.scan.parquet;

import java.util.Arrays;

/**
 * Which pages of a chunk hold wanted rows, and where they are. A page without rows is not wanted.
 * Immutable.
 */
final class PagePlan {

    private final OffsetIndex index;
    private final int[] pages;

    private PagePlan(OffsetIndex index, int[] pages) {
        this.index = index;
        this.pages = pages;
    }

    static PagePlan of(OffsetIndex index, RowRanges rows) {
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
    long rows() {
        return index.rows();
    }

    /** Number of wanted pages. */
    int size() {
        return pages.length;
    }

    /** Number of pages that are not wanted. */
    int left() {
        return index.pages() - pages.length;
    }

    /** Bytes of the pages that are not wanted. */
    long bytesLeft() {
        long sum = index.bytes();
        for (int page : pages) {
            sum -= index.size(page);
        }
        return sum;
    }

    /** Where the chunk's first data page starts, wanted or not. */
    long dataStart() {
        return index.offset(0);
    }

    long start(int wanted) {
        return index.offset(pages[wanted]);
    }

    long end(int wanted) {
        return start(wanted) + index.size(pages[wanted]);
    }

    long firstRow(int wanted) {
        return index.firstRow(pages[wanted]);
    }

    int rows(int wanted) {
        return (int) (index.endRow(pages[wanted]) - index.firstRow(pages[wanted]));
    }

    /** Where the run of bytes ends that starts with a wanted page and has nothing else in it. */
    long runEnd(int wanted) {
        int last = wanted;
        while (last + 1 < pages.length && start(last + 1) == end(last)) {
            last++;
        }
        return end(last);
    }
}
