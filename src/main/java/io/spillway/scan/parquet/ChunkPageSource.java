package io.spillway.scan.parquet;

import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanMetrics;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Reads a column chunk through windows of about a mebibyte, or of one page if that is larger, and
 * decompresses one page at a time.
 *
 * <pre>
 * chunk    | header | page | header | page | header | page        | header | page |
 * window   [-----------------------------------------]
 * fetch                                 [--tail------|----- read in the background ----]
 * </pre>
 *
 * A page that is not wholly in the window makes the next window begin with it: what is there of it
 * is copied over, and the rest is read on a virtual thread while the pages before it are decoded.
 * The old window goes as soon as the next one is begun. So a column holds at most two windows, one
 * decompressed page and its dictionary.
 */
final class ChunkPageSource implements PageSource {

    /** A window and its padding fill what Arrow allocates for them. */
    static final int WINDOW = (1 << 20) - Buffers.PADDING;

    /** By how much a window must reach further if it ends within a header. */
    private static final int HEADER_STEP = 4 << 10;

    private static final int MAX_HEADER = 16 << 20;

    private final OpenFile file;
    private final Footer.Chunk chunk;
    private final Decompressor decompressor;
    private final BufferAllocator allocator;
    private final ScanMetrics metrics;
    private final Place place;
    private final long end;
    private final CRC32 crc = new CRC32();

    /** Where the next page's header starts. */
    private long at;

    private long valuesLeft;
    private @Nullable ArrowBuf window;
    private long windowStart;
    private long windowEnd;
    private @Nullable Fetch fetch;
    private @Nullable PageInfo info;
    private long body;

    /** Starts to read the first window. */
    ChunkPageSource(
            OpenFile file,
            Footer.Chunk chunk,
            Decompressor decompressor,
            BufferAllocator allocator,
            ScanMetrics metrics,
            Place place) {
        this.file = file;
        this.chunk = chunk;
        this.decompressor = decompressor;
        this.allocator = allocator;
        this.metrics = metrics;
        this.place = place;
        this.at = chunk.offset();
        this.end = chunk.end();
        this.valuesLeft = chunk.values();
        if (valuesLeft > 0 && at < end) {
            begin(at, 1);
        }
    }

    @Override
    public State header() {
        while (info == null) {
            if (valuesLeft == 0) {
                return State.END;
            }
            if (at >= end) {
                throw place.corrupt("The chunk ends %,d values too early".formatted(valuesLeft));
            }
            if (!has(at, 1)) {
                return State.WAITING;
            }
            int there = (int) (windowEnd - at);
            int length = ThriftBounds.structLength(OffHeap.view(address(at), there));
            if (length >= 0) {
                read(length);
            } else if (length == ThriftBounds.MALFORMED
                    || there == end - at
                    || there > MAX_HEADER) {
                throw place.corrupt("A page header is damaged");
            } else if (!has(at, Math.min(end - at, there + (long) HEADER_STEP))) {
                return State.WAITING;
            }
        }
        return State.READY;
    }

    private void read(int length) {
        body = at + length;
        PageInfo read =
                PageHeaders.read(
                        OffHeap.view(address(at), length), chunk, end - body, valuesLeft, place);
        if (read.kind() == PageInfo.Kind.OTHER) {
            at = body + read.compressedBytes();
        } else {
            info = read;
        }
    }

    @Override
    public PageInfo info() {
        PageInfo read = info;
        if (read == null) {
            throw new IllegalStateException("no header");
        }
        return read;
    }

    @Override
    public State body() {
        return has(body, info().compressedBytes()) ? State.READY : State.WAITING;
    }

    @Override
    public CompletableFuture<?> waiting() {
        Fetch under = fetch;
        return under == null ? CompletableFuture.completedFuture(null) : under.done();
    }

    /** Whether bytes of the file are in the window; begins to read them if they are not. */
    private boolean has(long from, long bytes) {
        while (window == null || from < windowStart || from + bytes > windowEnd) {
            Fetch under = fetch;
            if (under == null) {
                begin(from, bytes);
                return false;
            }
            if (!under.done().isDone()) {
                return false;
            }
            fetch = null;
            ArrowBuf read = under.take();
            dropWindow();
            window = read;
            windowStart = under.position();
            windowEnd = windowStart + under.length();
        }
        return true;
    }

    private void begin(long from, long bytes) {
        int length = (int) Math.min(end - from, Math.max(WINDOW, bytes));
        ArrowBuf buffer = Buffers.allocate(allocator, (long) length + Buffers.PADDING);
        int present = 0;
        if (window != null && from >= windowStart && from < windowEnd) {
            present = (int) Math.min(length, windowEnd - from);
            OffHeap.copy(address(from), buffer.memoryAddress(), present);
        }
        dropWindow();
        fetch = Fetch.start(file, buffer, from, present, length);
    }

    private long address(long position) {
        return window().memoryAddress() + (position - windowStart);
    }

    @Override
    public void take(Page page, boolean readAhead) {
        PageInfo taken = info();
        long address = address(body);
        verify(taken, address);
        decompress(taken, address, page);
        metrics.pageDecoded(taken.uncompressedBytes());
        advance();
        if (!readAhead || at >= end) {
            dropWindow();
        } else {
            readAhead();
        }
    }

    private void verify(PageInfo taken, long address) {
        if (taken.checksum() != null) {
            crc.reset();
            crc.update(OffHeap.view(address, taken.compressedBytes()));
            if ((int) crc.getValue() != taken.checksum()) {
                throw place.corrupt("A page fails its checksum");
            }
        }
    }

    private void decompress(PageInfo taken, long address, Page page) {
        int levels = taken.levelBytes();
        int compressed = taken.compressedBytes() - levels;
        int size = taken.uncompressedBytes() - levels;
        if (decompressor.isStored() || !taken.compressed()) {
            if (compressed != size) {
                throw place.corrupt("A page that is not compressed has two sizes");
            }
            page.borrow(window(), address, taken.compressedBytes());
            return;
        }
        if (size > 0
                && (compressed == 0
                        || !decompressor.isPlausible(address + levels, compressed, size))) {
            throw damaged(size, null);
        }
        long to = page.allocate(taken.uncompressedBytes());
        OffHeap.copy(address, to, levels);
        if (size > 0) {
            long written;
            try {
                written = decompressor.decompress(address + levels, compressed, to + levels, size);
            } catch (IOException | RuntimeException e) {
                throw damaged(size, e);
            }
            if (written != size) {
                throw damaged(size, null);
            }
        }
    }

    private ArrowBuf window() {
        ArrowBuf buffer = window;
        if (buffer == null) {
            throw new IllegalStateException("no window");
        }
        return buffer;
    }

    private SpillwayException damaged(int size, @Nullable Exception cause) {
        String what = "A page does not decompress to its %,d bytes".formatted(size);
        return cause == null ? place.corrupt(what) : place.corrupt(what, cause);
    }

    /**
     * Gets the next page under way. What is wrong with it will be said again to whoever asks for
     * it, after the rows that stand before it.
     */
    private void readAhead() {
        try {
            if (header() == State.READY) {
                body();
            }
        } catch (SpillwayException e) {
            info = null;
        }
    }

    @Override
    public void skip() {
        metrics.pageSkipped();
        advance();
    }

    private void advance() {
        PageInfo passed = info();
        at = body + passed.compressedBytes();
        if (passed.kind() != PageInfo.Kind.DICTIONARY) {
            valuesLeft -= passed.values();
        }
        info = null;
    }

    private void dropWindow() {
        ArrowBuf buffer = window;
        if (buffer != null) {
            window = null;
            buffer.close();
        }
    }

    @Override
    public void close() {
        Fetch under = fetch;
        if (under != null) {
            fetch = null;
            under.abandon();
        }
        dropWindow();
    }
}
