package io.spillway.scan.parquet.pruning;

import io.spillway.batch.OffHeap;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.scan.parquet.bytes.ChunkBytes;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ReadSizes;
import io.spillway.scan.parquet.codec.Decompressor;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.footer.LeafValues;
import io.spillway.scan.parquet.footer.ValueOrder;
import io.spillway.scan.parquet.page.ChunkPageSource;
import io.spillway.scan.parquet.page.Page;
import io.spillway.scan.parquet.page.PageInfo;
import io.spillway.scan.parquet.page.PageSource;
import io.spillway.scan.pruning.Scalar;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of a chunk's dictionary, which are all that the chunk can hold if all its data pages
 * are made of indices. No more is known of them than that: some may not occur.
 */
final class DictionaryEntries {

    private static final int MAX_ENTRIES = 1 << 16;
    private static final int MAX_BYTES = 1 << 20;

    /** Heap that an entry takes beside its bytes. */
    private static final int ENTRY = 64;

    private final OpenFile file;
    private final MemoryPool pool;
    private final ScanMetrics metrics;

    DictionaryEntries(OpenFile file, MemoryPool pool, ScanMetrics metrics) {
        this.file = file;
        this.pool = pool;
        this.metrics = metrics;
    }

    /** Whether a chunk's values are told by its dictionary. */
    static boolean tell(Footer.Chunk chunk, ColumnNode.Leaf leaf) {
        return chunk.indexOnly()
                && chunk.dictionaryBytes() > 0
                && chunk.dictionaryBytes() <= MAX_BYTES
                && ValueOrder.of(leaf) != ValueOrder.UNDEFINED
                && !new LeafValues(leaf).isNarrow();
    }

    /**
     * Reads the entries; waits.
     *
     * @return null if there are too many, or they are not what the leaf is read from
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} and what else reading the
     *     dictionary for its rows would say
     */
    @Nullable List<Scalar> read(Footer.Chunk chunk, ColumnNode.Leaf leaf, Place place) {
        Footer.Chunk start = chunk.start(chunk.dictionaryBytes());
        try (MemoryReservation _ = pool.account(Decompressor.CONTEXT_BYTES);
                Decompressor decompressor = Decompressor.of(chunk.codec(), place);
                Page page = new Page(pool.allocator(), place);
                ChunkPageSource pages =
                        new ChunkPageSource(
                                new ChunkBytes(
                                        file, pool.allocator(), ReadSizes.LEAST_WINDOW.window()),
                                start,
                                null,
                                decompressor,
                                metrics,
                                place)) {
            while (pages.header() == PageSource.State.WAITING) {
                await(pages);
            }
            int entries = pages.info().values();
            if (pages.info().kind() != PageInfo.Kind.DICTIONARY || entries > MAX_ENTRIES) {
                return null;
            }
            while (pages.body() == PageSource.State.WAITING) {
                await(pages);
            }
            pages.take(page, false);
            try (MemoryReservation _ = pool.account(page.remaining() + (long) ENTRY * entries)) {
                return values(page, entries, new LeafValues(leaf));
            }
        }
    }

    /** What went wrong is thrown by whoever asks for the bytes. */
    private static void await(PageSource pages) {
        pages.waiting().handle((_, _) -> true).join();
    }

    private static @Nullable List<Scalar> values(Page page, int entries, LeafValues values) {
        List<Scalar> all = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            Scalar value = values.of(next(page, values.leaf()));
            if (value == null) {
                return null;
            }
            all.add(value);
        }
        return all;
    }

    private static byte[] next(Page page, ColumnNode.Leaf leaf) {
        int length =
                switch (leaf.physical()) {
                    case BOOLEAN -> 1;
                    case INT32, FLOAT -> Integer.BYTES;
                    case INT64, DOUBLE -> Long.BYTES;
                    case INT96 -> 12;
                    case FIXED_LEN_BYTE_ARRAY -> leaf.typeLength();
                    case BINARY -> OffHeap.getInt(page.take(Integer.BYTES));
                };
        long from = page.take(length);
        byte[] bytes = new byte[length];
        OffHeap.read(from, bytes, 0, length);
        return bytes;
    }
}
