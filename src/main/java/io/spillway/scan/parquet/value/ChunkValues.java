package io.spillway.scan.parquet.value;

import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.Encodings;
import io.spillway.scan.parquet.page.Page;
import io.spillway.scan.parquet.page.PageInfo;
import io.spillway.scan.parquet.page.PageSource;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * The data pages of one chunk, and its dictionary, which is read on the way to them. A page is
 * taken, then its levels are read from it by whoever knows of them, then its values are begun
 * ({@link #start}): values as such, which the decoder reads, or indices into the dictionary.
 */
public final class ChunkValues implements AutoCloseable {

    /** A width, and the header of an empty run. */
    private static final int MAX_WITHOUT = 2;

    private final PageSource pages;
    private final ValueDecoder decoder;
    private final BufferAllocator allocator;
    private final Place place;
    private final Page page;
    private final RunReader indexRuns;
    private @Nullable Dictionary dictionary;
    private @Nullable EntrySizes sizes;

    /** Whether there was a data page, and whether the current one holds indices. */
    private boolean started;

    private boolean indexed;

    /** Takes over the pages; the decoder stays the caller's. */
    public ChunkValues(
            PageSource pages, ValueDecoder decoder, BufferAllocator allocator, Place place) {
        this.pages = pages;
        this.decoder = decoder;
        this.allocator = allocator;
        this.place = place;
        this.page = new Page(allocator, place);
        this.indexRuns = new RunReader(place);
    }

    /** Whether the header of the next data page is there. */
    public PageSource.State header() {
        while (true) {
            PageSource.State state = pages.header();
            if (state != PageSource.State.READY
                    || pages.info().kind() != PageInfo.Kind.DICTIONARY) {
                return state;
            }
            if (pages.body() != PageSource.State.READY) {
                return PageSource.State.WAITING;
            }
            int entries = pages.info().values();
            pages.take(page, true);
            readDictionary(entries);
        }
    }

    /** The next data page's header; only when {@link #header} said {@code READY}. */
    public PageInfo info() {
        return pages.info();
    }

    /** Done when it is worth asking for a page again. */
    public CompletableFuture<?> waiting() {
        return pages.waiting();
    }

    /** Moves on to the page after the next. */
    public void skip() {
        pages.skip();
    }

    /**
     * Takes the next data page, in place of the one before it.
     *
     * @param part how many of its first values are wanted for now
     * @param readAhead whether the page after it will be wanted
     * @return whether its bytes are there; if not, ask again when {@link #waiting} is done
     */
    public boolean take(int part, boolean readAhead) {
        if (pages.body() != PageSource.State.READY) {
            return false;
        }
        pages.take(page, part, readAhead);
        return true;
    }

    /** The same for a page all of whose values are wanted. */
    public boolean take(boolean readAhead) {
        return take(info().values(), readAhead);
    }

    /** The page that was taken last. */
    public Page page() {
        return page;
    }

    private void readDictionary(int entries) {
        if (dictionary != null || started) {
            throw place.corrupt("A dictionary stands behind another page");
        }
        decoder.startPage(page, Encoding.PLAIN, entries);
        if (!decoder.mayHold(page, entries)) {
            throw place.corrupt("A dictionary claims %,d entries".formatted(entries));
        }
        ArrowBuf bitmap = Buffers.bitmap(allocator, entries);
        try {
            Bits.set(bitmap.memoryAddress(), 0, entries, true);
            decoder.begin(entries);
            decoder.read(page, bitmap.memoryAddress(), 0, entries, entries);
            FieldVector values = decoder.finish(bitmap, entries, 0);
            dictionary = new Dictionary(values);
            sizes = new EntrySizes(values);
        } catch (RuntimeException e) {
            bitmap.close();
            throw e;
        }
    }

    /** Begins with the values of the page that was taken, whose levels have been read. */
    public void start(PageInfo info) {
        started = true;
        indexed = Encodings.isDictionary(info.encoding());
        if (indexed && dictionary == null) {
            startWithout(info);
            return;
        }
        if (!indexed) {
            decoder.startPage(page, info.encoding(), info.values());
            return;
        }
        // One byte tells the indices' width; a page of nothing but nulls may leave it out.
        int width = page.remaining() > 0 ? OffHeap.getUnsignedByte(page.take(1)) : 1;
        indexRuns.reset(page, width);
    }

    /** Pages of nothing but nulls may speak of a dictionary that was never written. */
    private void startWithout(PageInfo info) {
        if (page.remaining() > MAX_WITHOUT) {
            throw place.corrupt("There are dictionary indices without a dictionary");
        }
        indexed = false;
        page.take(page.remaining());
        decoder.startPage(page, Encoding.PLAIN, info.values());
    }

    /** Whether the page's values are indices. */
    public boolean indexed() {
        return indexed;
    }

    /** Passes over values of the page. */
    public void skipValues(int values) {
        if (indexed) {
            indexRuns.skip(values);
        } else {
            decoder.skip(page, values);
        }
    }

    /**
     * The indices of the next rows, 4 bytes each and checked; those of null rows are 0.
     *
     * @param validity which rows are valid, the next one's bit being {@code firstRow}
     * @param valid how many of them are
     */
    public void readIndices(long out, long validity, int firstRow, int rows, int valid) {
        indexRuns.integers(out, valid, dictionary().size());
        if (valid != rows) {
            Bits.spread4(out, validity, firstRow, rows, valid);
        }
    }

    /**
     * Looks up the indices of the next valid rows, each checked.
     *
     * @param table {@link PackedLookUp#table} of the dictionary's entries
     * @param bitmap where to put what is found, from bit {@code toBit} on
     */
    public void lookUpIndices(byte[] table, int valid, long bitmap, long toBit) {
        indexRuns.lookUp(table, valid, bitmap, toBit);
    }

    /** The dictionary that indices point into; stays this chunk's. */
    public Dictionary dictionary() {
        Dictionary entries = dictionary;
        if (entries == null) {
            throw new IllegalStateException("no dictionary");
        }
        return entries;
    }

    /** How large its entries are. */
    public EntrySizes sizes() {
        EntrySizes known = sizes;
        if (known == null) {
            throw new IllegalStateException("no dictionary");
        }
        return known;
    }

    /** Frees the pages and this chunk's reference to the dictionary. */
    @Override
    public void close() {
        pages.close();
        page.close();
        if (dictionary != null) {
            dictionary.release();
            dictionary = null;
        }
    }
}
