package io.spillway.scan.parquet.column;

import io.spillway.batch.ColumnVector;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.index.RowRanges;
import io.spillway.scan.parquet.page.PageInfo;
import io.spillway.scan.parquet.page.PageSource;
import io.spillway.scan.parquet.value.ChunkValues;
import io.spillway.scan.parquet.value.ValueDecoder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/**
 * One leaf of a nested column. A batch is the column as if it had no other leaf: a vector whose
 * structs have one child each, and whose maps are lists.
 *
 * <p>A row is known to be complete once the next one begins, for which the page after it may be
 * needed: pages of version 1 that no offset index tells of may begin within a row. Entries are used
 * in pieces, each a part of a step of levels that is either kept or passed over:
 *
 * <pre>
 * page   |            levels and values            |            levels ...
 * steps  |              |              |           |
 * rows   |   |       |     |  |                 |     |    |
 * pieces | skip      | keep|keep       | keep   | ...
 * </pre>
 */
public final class LeafReader implements ColumnSource {

    private final ColumnNode.Leaf leaf;
    private final LevelBuffer levels;
    private final ChunkValues chunk;
    private final LeafBatch batch;
    private final WantedRows rowsWanted;
    private final RowRanges wanted;
    private final long groupRows;
    private final Place place;

    /** Rows that have begun, and those that had when the page began. */
    private long row;

    private long pageFrom;

    /** Rows that begin in the page, as its header tells, or {@link PageInfo#UNKNOWN}. */
    private int pageRows = PageInfo.UNKNOWN;

    /** Rows under way, {@code [from, to)}, which are kept or passed over. */
    private boolean moving;

    private boolean keep;
    private long from;
    private long to;

    /** Rows of the batch under way that are complete, and whether it can take no more. */
    private int done;

    private boolean full;

    /**
     * Takes over the pages and the decoder.
     *
     * @param nodes from the column's root to the leaf
     * @param rowsWanted the rows to read; as many are asked for in all
     * @param groupRows all rows of the row group
     */
    public LeafReader(
            List<ColumnNode> nodes,
            PageSource pages,
            ValueDecoder decoder,
            BufferAllocator allocator,
            WantedRows rowsWanted,
            long groupRows,
            Place place) {
        this.leaf = (ColumnNode.Leaf) nodes.getLast();
        this.rowsWanted = rowsWanted;
        this.wanted = rowsWanted.ranges();
        this.groupRows = groupRows;
        this.place = place;
        this.chunk = new ChunkValues(pages, decoder, allocator, place);
        this.levels = new LevelBuffer(leaf, allocator, place);
        this.batch = new LeafBatch(nodes, levels, chunk, decoder, allocator, place);
    }

    @Override
    public boolean read(int count) {
        while (moving || (done < count && !full)) {
            if (!moving) {
                long next = wanted.next(row);
                keep = next == row;
                from = row;
                to = keep ? Math.min(wanted.end(row), row + count - done) : next;
                moving = true;
            }
            if (!move()) {
                return false;
            }
            moving = false;
            done += keep ? (int) (to - from) : 0;
        }
        return true;
    }

    @Override
    public CompletableFuture<?> waiting() {
        return chunk.waiting();
    }

    @Override
    public ColumnVector take() {
        done = 0;
        full = false;
        return new ColumnVector.Plain(batch.take());
    }

    /**
     * Uses entries up to where row {@link #to} begins.
     *
     * @return whether it was reached, or a page is not there yet
     */
    private boolean move() {
        while (true) {
            if (!levels.isEmpty()) {
                if (levels.left() == 0) {
                    levels.decode();
                    batch.startStep();
                }
                usePiece();
                if (levels.left() > 0) {
                    checkNotLast();
                    return true;
                }
                if (levels.isEmpty()) {
                    endPage();
                }
            } else if (row == to && leaf.repetition() == 0) {
                return true;
            } else if (chunk.header() == PageSource.State.WAITING) {
                return false;
            } else if (row == to && isRowComplete()) {
                return true;
            } else if (!passOverPage() && !nextPage()) {
                return false;
            }
        }
    }

    private void usePiece() {
        int count = levels.placeOfRow(to - row);
        if (keep) {
            int fit = batch.fitting(count);
            if (fit < count) {
                full = true;
                count = cut(fit);
            }
        }
        row += levels.rows(count);
        if (keep) {
            batch.append(count);
        } else {
            batch.skip(count);
        }
    }

    /**
     * Ends the batch before the row of an entry that does not fit into it, unless that is its first
     * row, or has begun in another step: then after it.
     *
     * @param entry its place among the next ones
     * @return how many of the next entries belong to the batch
     */
    private int cut(int entry) {
        long last = row + levels.rows(entry + 1) - 1;
        long end = Math.max(last, row);
        to = done + end - from > 0 ? end : end + 1;
        return levels.placeOfRow(to - row);
    }

    /** Whether the row that was begun last ends here, between two pages. */
    private boolean isRowComplete() {
        if (chunk.header() == PageSource.State.END) {
            return true;
        }
        boolean complete = beginsWithRow(chunk.info());
        if (complete) {
            checkNotLast();
        }
        return complete;
    }

    /** Where another row begins, there must be one. */
    private void checkNotLast() {
        if (row == groupRows) {
            throw place.corrupt("The chunk has more rows than its row group");
        }
    }

    private boolean beginsWithRow(PageInfo info) {
        return leaf.repetition() == 0
                || info.kind() == PageInfo.Kind.DATA_V2
                || info.firstRow() != PageInfo.UNKNOWN;
    }

    /** Rows that begin in a page, or {@link PageInfo#UNKNOWN}. */
    private int rows(PageInfo info) {
        return leaf.repetition() == 0 ? info.values() : info.rows();
    }

    /** Passes over the next page, if its header tells that none of its rows is wanted. */
    private boolean passOverPage() {
        if (keep || chunk.header() != PageSource.State.READY) {
            return false;
        }
        PageInfo info = chunk.info();
        moveTo(info);
        int begin = rows(info);
        if (!beginsWithRow(info) || begin == PageInfo.UNKNOWN || row + begin > to) {
            return false;
        }
        row += begin;
        chunk.skip();
        return true;
    }

    /** Moves on to where a page begins: pages without wanted rows may have been left out. */
    private void moveTo(PageInfo info) {
        if (info.firstRow() != PageInfo.UNKNOWN) {
            if (info.firstRow() < row || info.firstRow() > (keep ? row : to)) {
                throw place.corrupt(
                        "A page starts at row %,d in place of %,d".formatted(info.firstRow(), row));
            }
            row = info.firstRow();
        }
    }

    /** Takes the next page; false if it is not there yet. */
    private boolean nextPage() {
        if (chunk.header() == PageSource.State.END) {
            throw place.corrupt("The chunk has fewer rows than its row group");
        }
        PageInfo info = chunk.info();
        moveTo(info);
        int begin = rows(info);
        if (!chunk.take(
                part(info, begin), begin == PageInfo.UNKNOWN || row + begin < wanted.to())) {
            return false;
        }
        levels.start(chunk.page(), info);
        chunk.start(info);
        pageFrom = row;
        pageRows = info.rows();
        if (!levels.isEmpty() && (row == 0 || beginsWithRow(info))) {
            levels.decode();
            batch.startStep();
            if (!levels.atRow()) {
                throw place.corrupt("A page begins within a row where it must not");
            }
        }
        return true;
    }

    /**
     * How many of a page's entries are wanted for now, if rows have about as many each. A page that
     * does not tell its rows may be the last one.
     */
    private int part(PageInfo info, int begin) {
        long rows = begin == PageInfo.UNKNOWN ? groupRows - row : begin;
        if (rows <= 0 || row >= wanted.to()) {
            return info.values();
        }
        return (int)
                (rowsWanted.part(row, (int) Math.min(rows, Integer.MAX_VALUE))
                        * (double) info.values()
                        / rows);
    }

    private void endPage() {
        if (pageRows != PageInfo.UNKNOWN && row - pageFrom != pageRows) {
            throw place.corrupt(
                    "A page claims %,d rows and has %,d".formatted(pageRows, row - pageFrom));
        }
    }

    @Override
    public void close() {
        chunk.close();
        batch.close();
        levels.close();
    }
}
