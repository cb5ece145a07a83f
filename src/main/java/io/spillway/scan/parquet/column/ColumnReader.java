package io.spillway.scan.parquet.column;

import io.spillway.batch.ColumnVector;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.page.PageSource;
import io.spillway.scan.parquet.value.BytesDecoder;
import io.spillway.scan.parquet.value.ChunkValues;
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
    private final FlatPages pages;

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
            PageSource source,
            ValueDecoder decoder,
            BufferAllocator allocator,
            boolean optional,
            WantedRows rowsWanted,
            Place place) {
        this.chunk = new ChunkValues(source, decoder, allocator, place);
        this.pages = new FlatPages(chunk, decoder, optional, rowsWanted, place);
        this.decoder = decoder;
        this.allocator = allocator;
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
            if (!pages.reach()) {
                return false;
            }
            int n = fitting((int) Math.min(rows - done, pages.together()));
            if (n == 0) {
                break;
            }
            decode(n);
        }
        return true;
    }

    @Override
    public CompletableFuture<?> waiting() {
        return pages.waiting();
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

    private void decode(int n) {
        long bitmap = bitmap().memoryAddress();
        int valid = pages.validity(bitmap, done, n);
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
        pages.close();
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
