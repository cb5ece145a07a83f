package io.spillway.scan.parquet.page;

import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.parquet.bytes.ChunkBytes;
import io.spillway.scan.parquet.bytes.Fetch;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ThriftBounds;
import io.spillway.scan.parquet.codec.Decompressor;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.index.PagePlan;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a column chunk, read through {@link ChunkBytes}, one decompressed at a time. So a
 * column holds at most two windows, one decompressed page and its dictionary. The window of a page
 * that has not been decompressed whole is held as one of the two until the next page is taken.
 *
 * <p>Where a {@link PagePlan} tells the places of wanted pages, only those and what stands before
 * the first data page, the dictionary, are read, and no window reaches over bytes that are not
 * wanted.
 */
public final class ChunkPageSource implements PageSource {

    /** By how much a window must reach further if it ends within a header. */
    private static final int HEADER_STEP = 4 << 10;

    private static final int MAX_HEADER = 16 << 20;

    private final ChunkBytes bytes;
    private final Footer.Chunk chunk;
    private final Decompressor decompressor;
    private final ScanMetrics metrics;
    private final Place place;
    private final @Nullable PagePlan plan;
    private final CRC32 crc = new CRC32();

    /** Where the next page's header starts. */
    private long at;

    /** Where the bytes end that belong to the next page at most. */
    private long limit;

    /** Where the bytes end that are wanted from here on without a gap. */
    private long end;

    /** The wanted page that is next, or -1 before the first of them. */
    private int wanted = -1;

    /** The wanted page up to which the next window has been looked for. */
    private int aheadOf;

    /** Whether the window after this one can be told from this one. */
    private boolean canLookAhead = true;

    private long valuesLeft;

    /** Bytes that the data pages taken so far decompress to. */
    private long decompressed;

    private @Nullable PageInfo info;
    private long body;

    /**
     * Reads nothing before it is asked for something.
     *
     * @param bytes of the chunk; taken over
     * @param plan the pages that are wanted, or null to read all from the start
     */
    public ChunkPageSource(
            ChunkBytes bytes,
            Footer.Chunk chunk,
            @Nullable PagePlan plan,
            Decompressor decompressor,
            ScanMetrics metrics,
            Place place) {
        this.bytes = bytes;
        this.chunk = chunk;
        this.decompressor = decompressor;
        this.metrics = metrics;
        this.place = place;
        this.plan = plan;
        this.at = chunk.offset();
        this.limit = plan == null ? chunk.end() : plan.dataStart();
        this.end = plan == null ? limit : endOfStart(plan);
        this.valuesLeft = chunk.values();
        isMore();
    }

    /** What will be asked for first, or null if that is nothing. */
    FirstReads.@Nullable Range first() {
        if (!isMore() || at >= end) {
            return null;
        }
        int length = (int) Math.min(end - at, bytes.windowBytes());
        return new FirstReads.Range(at, length, plan == null && length == end - at);
    }

    /** Takes part in a read that holds what is asked for first. */
    void begin(Fetch shared) {
        bytes.begin(shared);
    }

    /** Where the run of bytes ends that starts with the dictionary. */
    private static long endOfStart(PagePlan plan) {
        return plan.size() > 0 && plan.start(0) == plan.dataStart()
                ? plan.runEnd(0)
                : plan.dataStart();
    }

    /** Whether there is another page; moves to the place of the next one that is wanted. */
    private boolean isMore() {
        if (plan == null) {
            return valuesLeft > 0;
        }
        if (at >= limit && wanted < plan.size()) {
            wanted++;
            if (wanted < plan.size()) {
                at = plan.start(wanted);
                limit = plan.end(wanted);
                end = plan.runEnd(wanted);
            }
        }
        return plan.size() > 0 && wanted < plan.size();
    }

    @Override
    public State header() {
        while (info == null) {
            if (!isMore()) {
                return State.END;
            }
            if (at >= limit) {
                throw place.corrupt("The chunk ends %,d values too early".formatted(valuesLeft));
            }
            if (!bytes.has(at, 1, end)) {
                return State.WAITING;
            }
            int there = (int) (Math.min(bytes.end(), limit) - at);
            int length = ThriftBounds.structLength(OffHeap.view(bytes.address(at), there));
            if (length >= 0) {
                read(length);
            } else if (length == ThriftBounds.MALFORMED
                    || there == limit - at
                    || there > MAX_HEADER) {
                throw place.corrupt("A page header is damaged");
            } else if (!bytes.has(at, Math.min(limit - at, there + (long) HEADER_STEP), end)) {
                return State.WAITING;
            }
        }
        return State.READY;
    }

    private void read(int length) {
        body = at + length;
        PageInfo read =
                PageHeaders.read(
                        OffHeap.view(bytes.address(at), length),
                        chunk,
                        limit - body,
                        plan == null ? valuesLeft : chunk.values(),
                        place);
        if (read.kind() == PageInfo.Kind.OTHER) {
            at = body + read.compressedBytes();
        } else {
            info = plan == null ? read : placed(read, plan);
        }
    }

    /** A page at the rows that the plan tells, if it can hold those. */
    private PageInfo placed(PageInfo read, PagePlan pages) {
        boolean dictionary = read.kind() == PageInfo.Kind.DICTIONARY;
        if (dictionary != wanted < 0) {
            throw place.corrupt("A page stands where its index tells of another kind");
        }
        if (dictionary) {
            return read;
        }
        int rows = pages.rows(wanted);
        boolean flat = chunk.values() == pages.rows();
        boolean fits = flat ? read.values() == rows : read.values() >= rows;
        if (!fits || (read.rows() != PageInfo.UNKNOWN && read.rows() != rows)) {
            throw place.corrupt(
                    "A page has other rows than the %,d that its index tells".formatted(rows));
        }
        return read.at(pages.firstRow(wanted), rows);
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
        return bytes.has(body, info().compressedBytes(), end) ? State.READY : State.WAITING;
    }

    @Override
    public CompletableFuture<?> waiting() {
        return bytes.waiting();
    }

    @Override
    public void take(Page page, int part, boolean readAhead) {
        PageInfo taken = info();
        long address = bytes.address(body);
        verify(taken, address);
        count(taken);
        decompress(taken, address, page, part);
        metrics.pageDecoded(taken.uncompressedBytes());
        advance();
        if (readAhead && isMore()) {
            readAhead();
        } else {
            bytes.dropWindow();
        }
    }

    private void verify(PageInfo taken, long address) {
        if (taken.checksum() != null && bytes.verifiesChecksums()) {
            crc.reset();
            crc.update(OffHeap.view(address, taken.compressedBytes()));
            if ((int) crc.getValue() != taken.checksum()) {
                throw place.corrupt("A page fails its checksum");
            }
        }
    }

    /**
     * Holds data pages to what the footer tells of their chunk; the dictionary by itself, since not
     * all writers count it among them.
     */
    private void count(PageInfo taken) {
        if (taken.kind() != PageInfo.Kind.DICTIONARY) {
            decompressed += taken.uncompressedBytes();
        }
        if (decompressed > chunk.uncompressedBytes()) {
            throw place.corrupt(
                    "Pages decompress to more than the %,d bytes of their chunk"
                            .formatted(chunk.uncompressedBytes()));
        }
    }

    private void decompress(PageInfo taken, long address, Page page, int part) {
        if (decompressor.isStored() || !taken.compressed()) {
            if (taken.compressedBytes() != taken.uncompressedBytes()) {
                throw place.corrupt("A page that is not compressed has two sizes");
            }
            page.borrow(bytes.buffer(), address, taken.compressedBytes());
            return;
        }
        new CompressedBody(decompressor, taken, bytes.buffer(), address, place)
                .into(page, part, taken.values());
    }

    /**
     * Gets the next page under way, and in time the next window. What is wrong with it will be said
     * again to whoever asks for it, after the rows that stand before it.
     */
    private void readAhead() {
        try {
            if (header() == State.READY
                    && body() == State.READY
                    && canLookAhead
                    && bytes.isTimeForNext(at)) {
                nextWindow();
            }
        } catch (SpillwayException e) {
            info = null;
        }
    }

    private void nextWindow() {
        if (plan == null) {
            if (bytes.end() < end) {
                nextWindowByHeaders();
            }
            return;
        }
        aheadOf = Math.max(aheadOf, wanted);
        while (aheadOf < plan.size() && plan.end(aheadOf) <= bytes.end()) {
            aheadOf++;
        }
        if (aheadOf < plan.size()) {
            bytes.ahead(plan.start(aheadOf), plan.runEnd(aheadOf));
        }
    }

    /** The next window starts with the first page that is not wholly in this one. */
    private void nextWindowByHeaders() {
        long next = at;
        try {
            for (long after = next; after <= bytes.end(); after = pageEnd(next)) {
                next = after;
            }
            bytes.ahead(next, end);
        } catch (SpillwayException e) {
            canLookAhead = false; // whatever is wrong stays wrong
        }
    }

    /** Where a page of the window ends by its header, or behind the window if that is cut. */
    private long pageEnd(long start) {
        int there = (int) (bytes.end() - start);
        int length = ThriftBounds.structLength(OffHeap.view(bytes.address(start), there));
        if (length < 0) {
            return Long.MAX_VALUE;
        }
        long from = start + length;
        return from
                + PageHeaders.read(
                                OffHeap.view(bytes.address(start), length),
                                chunk,
                                end - from,
                                chunk.values(),
                                place)
                        .compressedBytes();
    }

    @Override
    public void skip() {
        metrics.pageSkipped();
        advance();
    }

    private void advance() {
        PageInfo passed = info();
        // Between a planned page and the end of its place there is nothing.
        at = plan == null || wanted < 0 ? body + passed.compressedBytes() : limit;
        if (passed.kind() != PageInfo.Kind.DICTIONARY) {
            valuesLeft -= passed.values();
        }
        info = null;
    }

    @Override
    public void close() {
        bytes.close();
    }
}
