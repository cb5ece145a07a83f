package io.spillway.scan.parquet.column;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.index.RowRanges;
import io.spillway.scan.parquet.page.Page;
import io.spillway.scan.parquet.page.PageInfo;
import io.spillway.scan.parquet.page.PageSource;
import io.spillway.scan.parquet.value.BytesDecoder;
import io.spillway.scan.parquet.value.ChunkValues;
import io.spillway.scan.parquet.value.RunReader;
import io.spillway.scan.parquet.value.ValueDecoder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * A column whose values are those of one leaf, one a row.
 *
 * <p>Rows of pages that hold dictionary indices come out as {@link ColumnVector.Encoded}, others as
 * {@link ColumnVector.Plain}. Writers give dictionaries up in mid-chunk when they grow too large,
 * which no footer has to tell: there the batch under way ends before it has the rows that were
 * asked for. So it does where large values have filled it.
 *
 * <pre>
 * page      | dictionary | indices | indices     | plain   | plain     |
 * batches                | Encoded | Encoded | E | Plain   | Plain | P |
 * </pre>
 */
public final class ColumnReader implements ColumnSource {

    private final ChunkValues chunk;
    private final ValueDecoder decoder;
    private final BufferAllocator allocator;
    private final Field indexField;
    private final boolean optional;
    private final WantedRows rowsWanted;
    private final RowRanges wanted;
    private final Place place;
    private final RunReader levels;

    /** The row that stands next, and how many the page has from there on. */
    private long row;

    private int pageLeft;

    /** The batch under way: its rows at most, how many are decoded, how many of those are null. */
    private int rows;

    private int done;
    private int nulls;
    private @Nullable ArrowBuf validity;
    private @Nullable ArrowBuf indices;

    /** Bytes that the entries take which the indices point to, as far as they may be many. */
    private long entryBytes;

    /**
     * Takes over the pages and the decoder.
     *
     * @param optional whether the chunk has definition levels
     * @param rowsWanted the rows to read; as many are asked for in all
     */
    public ColumnReader(
            PageSource pages,
            ValueDecoder decoder,
            BufferAllocator allocator,
            boolean optional,
            WantedRows rowsWanted,
            Place place) {
        this.chunk = new ChunkValues(pages, decoder, allocator, place);
        this.decoder = decoder;
        this.allocator = allocator;
        this.optional = optional;
        this.rowsWanted = rowsWanted;
        this.wanted = rowsWanted.ranges();
        this.place = place;
        this.levels = new RunReader(place);
        this.indexField =
                new Field(
                        String.valueOf(place.column()),
                        new FieldType(optional, new ArrowType.Int(Integer.SIZE, true), null),
                        null);
    }

    @Override
    public boolean read(int count) {
        rows = count;
        while (done < rows) {
            long next = wanted.next(row);
            if (row < next) {
                if (!skip(next)) {
                    return false;
                }
            } else if (pageLeft == 0) {
                if (!nextPage()) {
                    return false;
                }
            } else {
                long together = Math.min(pageLeft, wanted.end(row) - row);
                int n = fitting((int) Math.min(rows - done, together));
                if (n == 0) {
                    break;
                }
                decode(n);
            }
        }
        return true;
    }

    @Override
    public CompletableFuture<?> waiting() {
        return chunk.waiting();
    }

    /**
     * How many of the page's next rows can be appended to the batch under way.
     *
     * @return 0 if the batch has to end here
     */
    private int fitting(int most) {
        begin();
        boolean encoded = indices != null;
        if (encoded != chunk.indexed()) {
            return 0;
        }
        if (!encoded) {
            return decoder.fits(chunk.page(), most);
        }
        return entryBytes < BytesDecoder.FULL ? Math.min(most, chunk.sizes().step()) : 0;
    }

    @Override
    public ColumnVector take() {
        ArrowBuf bitmap = bitmap();
        ArrowBuf encoded = indices;
        FieldVector vector =
                encoded == null
                        ? decoder.finish(bitmap, done, nulls)
                        : Buffers.vector(
                                indexField, allocator, done, nulls, List.of(bitmap, encoded));
        validity = null;
        indices = null;
        done = 0;
        return encoded == null
                ? new ColumnVector.Plain(vector)
                : new ColumnVector.Encoded((IntVector) vector, chunk.dictionary().retain());
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

    private void decode(int n) {
        long bitmap = bitmap().memoryAddress();
        int valid;
        if (optional) {
            valid = levels.bits(bitmap, done, n);
        } else {
            Bits.set(bitmap, done, n, true);
            valid = n;
        }
        ArrowBuf encoded = indices;
        if (encoded == null) {
            decoder.read(chunk.page(), bitmap, done, n, valid);
        } else {
            long out = encoded.memoryAddress() + 4L * done;
            chunk.readIndices(out, bitmap, done, n, valid);
            if (chunk.sizes().step() < rows) {
                entryBytes += chunk.sizes().sum(out, n);
            }
        }
        nulls += n - valid;
        done += n;
        pageLeft -= n;
        row += n;
    }

    /** Begins a batch, if none is under way, in the form of the page's values. */
    private void begin() {
        if (validity == null) {
            validity = Buffers.bitmap(allocator, rows);
            nulls = 0;
            entryBytes = 0;
            if (chunk.indexed()) {
                indices = Buffers.allocate(allocator, 4L * rows);
            } else {
                decoder.begin(rows);
            }
        }
    }

    private ArrowBuf bitmap() {
        ArrowBuf bitmap = validity;
        if (bitmap == null) {
            throw new IllegalStateException("no batch");
        }
        return bitmap;
    }

    @Override
    public void close() {
        chunk.close();
        decoder.abort();
        if (validity != null) {
            validity.close();
            validity = null;
        }
        if (indices != null) {
            indices.close();
            indices = null;
        }
    }
}
