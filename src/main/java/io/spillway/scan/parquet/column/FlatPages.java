package io.spillway.scan.parquet.column;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.index.RowRanges;
import io.spillway.scan.parquet.page.Page;
import io.spillway.scan.parquet.page.PageInfo;
import io.spillway.scan.parquet.page.PageSource;
import io.spillway.scan.parquet.value.ChunkValues;
import io.spillway.scan.parquet.value.RunReader;
import io.spillway.scan.parquet.value.ValueDecoder;
import java.util.concurrent.CompletableFuture;
import org.apache.parquet.format.Encoding;

/**
 * Walks along the wanted rows of a chunk that has one value a row. Never waits: the walk stops
 * wherever a page is not there yet, and goes on at the same row.
 *
 * <pre>
 * (reach → (validity, the rows' values)*)*
 * </pre>
 */
final class FlatPages implements AutoCloseable {

    private final ChunkValues chunk;
    private final ValueDecoder decoder;
    private final boolean optional;
    private final WantedRows rowsWanted;
    private final RowRanges wanted;
    private final Place place;
    private final RunReader levels;

    /** The row that stands next, and how many the page has from there on. */
    private long row;

    private int pageLeft;

    /**
     * Takes over the chunk; the decoder stays the caller's.
     *
     * @param optional whether the chunk has definition levels
     */
    FlatPages(
            ChunkValues chunk,
            ValueDecoder decoder,
            boolean optional,
            WantedRows rowsWanted,
            Place place) {
        this.chunk = chunk;
        this.decoder = decoder;
        this.optional = optional;
        this.rowsWanted = rowsWanted;
        this.wanted = rowsWanted.ranges();
        this.place = place;
        this.levels = new RunReader(place);
    }

    /** What to wait for. */
    CompletableFuture<?> waiting() {
        return chunk.waiting();
    }

    /** Goes on to the next wanted row, in a page that has been taken; false if it is not there. */
    boolean reach() {
        while (true) {
            long next = wanted.next(row);
            if (row < next) {
                if (!skip(next)) {
                    return false;
                }
            } else if (pageLeft > 0) {
                return true;
            } else if (!nextPage()) {
                return false;
            }
        }
    }

    /** How many rows, from the one that was reached on, are wanted and in its page. */
    long together() {
        return Math.min(pageLeft, wanted.end(row) - row);
    }

    /**
     * Reads which of the next rows are valid, and passes over them: their values stand next in the
     * chunk.
     *
     * @param bitmap where to put that, from bit {@code toBit} on
     * @param rows no more than {@link #together}
     * @return how many are
     */
    int validity(long bitmap, int toBit, int rows) {
        pageLeft -= rows;
        row += rows;
        if (optional) {
            return levels.bits(bitmap, toBit, rows);
        }
        Bits.set(bitmap, toBit, rows, true);
        return rows;
    }

    /**
     * Passes over rows that are not wanted, within the page or as whole pages.
     *
     * @param to the next row that is wanted
     */
    private boolean skip(long to) {
        if (pageLeft == 0) {
            if (chunk.header() != PageSource.State.READY) {
                return nextPage();
            }
            PageInfo info = chunk.info();
            if (moveTo(info, to) && row + info.values() <= to) {
                row += info.values();
                chunk.skip();
                return true;
            }
            return row == to || nextPage();
        }
        int n = (int) Math.min(to - row, pageLeft);
        chunk.skipValues(optional ? levels.skipBits(n) : n);
        pageLeft -= n;
        row += n;
        return true;
    }

    /**
     * Moves on to where a page starts, which may be further on: pages without wanted rows may have
     * been left out.
     *
     * @param wantedRow the next row that is wanted, from {@link #row} on
     * @return whether rows before that one are left
     */
    private boolean moveTo(PageInfo info, long wantedRow) {
        if (info.firstRow() != PageInfo.UNKNOWN) {
            if (info.firstRow() < row || info.firstRow() > wantedRow) {
                throw place.corrupt(
                        "A page starts at row %,d in place of %,d".formatted(info.firstRow(), row));
            }
            row = info.firstRow();
        }
        return row < wantedRow;
    }

    /** Takes the next page; false if it is not there yet. */
    private boolean nextPage() {
        switch (chunk.header()) {
            case WAITING -> {
                return false;
            }
            case END -> throw place.corrupt("The chunk has fewer rows than its row group");
            case READY -> {
                PageInfo info = chunk.info();
                moveTo(info, wanted.next(row));
                if (info.rows() != PageInfo.UNKNOWN && info.rows() != info.values()) {
                    throw place.corrupt("A page has another number of rows than of values");
                }
                int part = rowsWanted.part(row, info.values());
                if (!chunk.take(part, row + info.values() < wanted.to())) {
                    return false;
                }
                startLevels(info);
                chunk.start(info);
                if (!optional
                        && !chunk.indexed()
                        && !decoder.mayHold(chunk.page(), info.values())) {
                    throw place.corrupt("A page has fewer values than rows, and none may be null");
                }
                pageLeft = info.values();
            }
        }
        return true;
    }

    private void startLevels(PageInfo info) {
        Page page = chunk.page();
        if (info.kind() == PageInfo.Kind.DATA_V2) {
            page.take(info.repetitionBytes());
            int bytes = info.levelBytes() - info.repetitionBytes();
            long start = page.take(bytes);
            levels.reset(start, start + bytes, 1);
        } else if (optional) {
            if (info.levelEncoding() != Encoding.RLE) {
                throw place.notSupported("Levels in encoding " + info.levelEncoding());
            }
            int bytes = OffHeap.getInt(page.take(Integer.BYTES));
            long start = page.take(bytes);
            levels.reset(start, start + bytes, 1);
        }
    }

    @Override
    public void close() {
        chunk.close();
    }
}
