package io.spillway.scan.parquet;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
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
 * One column of a row group, batch by batch. Reading can stop wherever a page is not there yet and
 * goes on at the same row.
 *
 * <p>As long as pages hold dictionary indices, batches come out as {@link ColumnVector.Encoded}.
 * Writers give dictionaries up in mid-chunk when they grow too large, which no footer has to tell:
 * at the first page of plain values the batch under way turns plain (its indices so far are looked
 * up), and all later ones are.
 *
 * <pre>
 * page      | dictionary | indices | indices | plain   | plain |
 * batches                | Encoded | Encoded → Plain   | Plain |
 * </pre>
 */
final class ColumnReader implements AutoCloseable {

    private final PageSource pages;
    private final ValueDecoder decoder;
    private final BufferAllocator allocator;
    private final Field indexField;
    private final boolean optional;
    private final Place place;
    private final Page page;
    private final RunReader levels;
    private final RunReader indexRuns;

    private long toSkip;

    /** Rows that will be wanted after those that are skipped. */
    private long wanted;

    private @Nullable Dictionary dictionary;
    private boolean plainFromHere;

    /** Rows left in the page, and whether they are indices. */
    private int pageLeft;

    private boolean pageIndexed;

    /** The batch under way: its rows, how many are decoded, how many of those are null. */
    private int rows;

    private int done;
    private int nulls;
    private @Nullable ArrowBuf validity;
    private @Nullable ArrowBuf indices;
    private @Nullable ArrowBuf scratch;

    /**
     * Takes over the pages.
     *
     * @param optional whether the chunk has definition levels
     * @param toSkip rows of the row group to pass over
     * @param wanted rows to read after those
     */
    ColumnReader(
            PageSource pages,
            ValueDecoder decoder,
            BufferAllocator allocator,
            boolean optional,
            long toSkip,
            long wanted,
            Place place) {
        this.pages = pages;
        this.decoder = decoder;
        this.allocator = allocator;
        this.optional = optional;
        this.toSkip = toSkip;
        this.wanted = wanted;
        this.place = place;
        this.page = new Page(allocator, place);
        this.levels = new RunReader(place);
        this.indexRuns = new RunReader(place);
        this.indexField =
                new Field(
                        String.valueOf(place.column()),
                        new FieldType(optional, new ArrowType.Int(Integer.SIZE, true), null),
                        null);
    }

    /**
     * Decodes the next batch, as far as its pages are there.
     *
     * @param count its rows; the same again until it is complete
     * @return whether it is complete; if not, ask again when {@link #waiting} is done
     * @throws io.spillway.error.SpillwayException what is wrong with the chunk; only good for
     *     closing then
     */
    boolean read(int count) {
        rows = count;
        if (!skipped()) {
            return false;
        }
        while (done < rows) {
            if (pageLeft == 0 && !nextPage()) {
                return false;
            }
            int n = Math.min(rows - done, pageLeft);
            if (n > 0) {
                decode(n);
            }
        }
        return true;
    }

    CompletableFuture<?> waiting() {
        return pages.waiting();
    }

    /** The batch that {@link #read} completed; the caller's. */
    ColumnVector take() {
        ArrowBuf bitmap = validity;
        if (bitmap == null) {
            throw new IllegalStateException("no batch");
        }
        ArrowBuf encoded = indices;
        FieldVector vector =
                encoded == null
                        ? decoder.finish(bitmap, rows, nulls)
                        : Buffers.vector(
                                indexField, allocator, rows, nulls, List.of(bitmap, encoded));
        validity = null;
        indices = null;
        wanted -= rows;
        done = 0;
        return encoded == null
                ? new ColumnVector.Plain(vector)
                : new ColumnVector.Encoded((IntVector) vector, entries().retain());
    }

    /** Passes over the rows before the first, by whole pages where it can. */
    private boolean skipped() {
        while (toSkip > 0) {
            if (pageLeft == 0) {
                PageSource.State state = pages.header();
                if (state == PageSource.State.READY && canPassOver(pages.info())) {
                    toSkip -= pages.info().values();
                    pages.skip();
                    continue;
                }
                if (!nextPage()) {
                    return false;
                }
            }
            int n = (int) Math.min(toSkip, pageLeft);
            int valid = optional ? levels.skipBits(n) : n;
            if (pageIndexed) {
                indexRuns.skip(valid);
            } else {
                decoder.skip(page, valid);
            }
            pageLeft -= n;
            toSkip -= n;
        }
        return true;
    }

    private boolean canPassOver(PageInfo info) {
        return info.kind() != PageInfo.Kind.DICTIONARY && info.values() <= toSkip;
    }

    /** Loads pages up to the next one with rows; false if one is not there yet. */
    private boolean nextPage() {
        while (true) {
            switch (pages.header()) {
                case WAITING -> {
                    return false;
                }
                case END -> throw place.corrupt("The chunk has fewer rows than its row group");
                case READY -> {
                    if (pages.body() != PageSource.State.READY) {
                        return false;
                    }
                    PageInfo info = pages.info();
                    if (info.kind() == PageInfo.Kind.DICTIONARY) {
                        pages.take(page, true);
                        readDictionary(info.values());
                    } else {
                        long left = toSkip + wanted - done - info.values();
                        pages.take(page, left > 0);
                        startPage(info);
                        return true;
                    }
                }
            }
        }
    }

    private void readDictionary(int entries) {
        if (dictionary != null) {
            throw place.corrupt("There is a second dictionary");
        }
        if (decoder.leastBytes(entries) > page.remaining()) {
            throw place.corrupt("A dictionary claims %,d entries".formatted(entries));
        }
        if (decoder instanceof BooleanDecoder booleans) {
            booleans.startPage(page, false);
        }
        ArrowBuf bitmap = Buffers.bitmap(allocator, entries);
        try {
            Bits.set(bitmap.memoryAddress(), 0, entries, true);
            decoder.begin(entries);
            decoder.plain(page, bitmap.memoryAddress(), 0, entries, entries);
            dictionary = new Dictionary(decoder.finish(bitmap, entries, 0));
        } catch (RuntimeException e) {
            bitmap.close();
            throw e;
        }
    }

    private void startPage(PageInfo info) {
        boolean indexed = Encodings.isDictionary(info.encoding());
        if (indexed && dictionary == null) {
            throw place.corrupt("There are dictionary indices without a dictionary");
        }
        startLevels(info);
        if (indexed) {
            startIndices();
        } else if (decoder instanceof BooleanDecoder booleans
                && (info.encoding() == Encoding.PLAIN || info.encoding() == Encoding.RLE)) {
            booleans.startPage(page, info.encoding() == Encoding.RLE);
        } else if (info.encoding() != Encoding.PLAIN) {
            throw place.notSupported("Encoding " + info.encoding());
        }
        pageIndexed = indexed;
        pageLeft = info.values();
    }

    private void startLevels(PageInfo info) {
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

    /** One byte tells the indices' width; a page of nothing but nulls may leave it out. */
    private void startIndices() {
        int width = page.remaining() > 0 ? OffHeap.getUnsignedByte(page.take(1)) : 1;
        indexRuns.reset(page.at(), page.end(), width);
    }

    private void decode(int n) {
        long bitmap = begun();
        int valid;
        if (optional) {
            valid = levels.bits(bitmap, done, n);
        } else {
            Bits.set(bitmap, done, n, true);
            valid = n;
        }
        if (!pageIndexed) {
            if (indices != null) {
                turnPlain(bitmap);
            }
            decoder.plain(page, bitmap, done, n, valid);
        } else if (indices != null) {
            readIndices(indices.memoryAddress() + 4L * done, bitmap, n, valid);
        } else {
            gather(bitmap, n, valid);
        }
        nulls += n - valid;
        done += n;
        pageLeft -= n;
    }

    /** The bitmap of the batch under way, which is begun if there is none. */
    private long begun() {
        ArrowBuf bitmap = validity;
        if (bitmap == null) {
            plainFromHere |= !pageIndexed;
            bitmap = Buffers.bitmap(allocator, rows);
            validity = bitmap;
            nulls = 0;
            if (plainFromHere) {
                decoder.begin(rows);
            } else {
                indices = Buffers.allocate(allocator, 4L * rows);
            }
        }
        return bitmap.memoryAddress();
    }

    private void readIndices(long out, long bitmap, int n, int valid) {
        indexRuns.integers(out, valid, entries().size());
        if (valid != n) {
            Bits.spread4(out, bitmap, done, n, valid);
        }
    }

    /** Looks up what was kept as indices of the batch under way. */
    private void turnPlain(long bitmap) {
        ArrowBuf encoded = indices;
        if (encoded != null) {
            plainFromHere = true;
            decoder.begin(rows);
            decoder.gather(
                    entries().values(), encoded.memoryAddress(), bitmap, 0, done, done - nulls);
            indices = null;
            encoded.close();
        }
    }

    /** A page of indices after plain ones: looked up at once. */
    private void gather(long bitmap, int n, int valid) {
        ArrowBuf buffer = scratch;
        if (buffer == null || buffer.capacity() < 4L * n) {
            freeScratch();
            buffer = Buffers.allocate(allocator, 4L * n);
            scratch = buffer;
        }
        readIndices(buffer.memoryAddress(), bitmap, n, valid);
        decoder.gather(entries().values(), buffer.memoryAddress(), bitmap, done, n, valid);
    }

    private Dictionary entries() {
        Dictionary entries = dictionary;
        if (entries == null) {
            throw new IllegalStateException("no dictionary");
        }
        return entries;
    }

    private void freeScratch() {
        if (scratch != null) {
            scratch.close();
            scratch = null;
        }
    }

    /** Frees the batch under way, the pages and this reader's reference to the dictionary. */
    @Override
    public void close() {
        pages.close();
        page.close();
        decoder.abort();
        freeScratch();
        if (validity != null) {
            validity.close();
            validity = null;
        }
        if (indices != null) {
            indices.close();
            indices = null;
        }
        if (dictionary != null) {
            dictionary.release();
            dictionary = null;
        }
    }
}
