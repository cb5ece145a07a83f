package io.spillway.scan.parquet;

import io.spillway.batch.ColumnType;
import io.spillway.scan.ScanTask;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ReadSizes;
import io.spillway.scan.parquet.codec.Decompressor;
import io.spillway.scan.parquet.column.LeafBatch;
import io.spillway.scan.parquet.column.LevelBuffer;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Encodings;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.page.FirstReads;
import io.spillway.scan.parquet.page.PageHeaders;
import io.spillway.scan.parquet.value.BytesDecoder;
import io.spillway.storage.ReadProfile;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * What a stream over one row group holds at most, judged from the footer.
 *
 * <p>A column holds at most
 *
 * <ul>
 *   <li>its compressed bytes, if they fit one window, with the neighbours that are read by one
 *       request; else two windows, each of {@link ReadSizes#window} or one page, and together no
 *       more than the chunk and a window;
 *   <li>one decompressed page;
 *   <li>the dictionary: its page is one of the chunk's, and entries take in the vector at most
 *       {@link #growth} times what they take in the page;
 *   <li>the batch under way: 4 bytes a row each for indices and for offsets or a look-up, a bit for
 *       validity, and the values: width times rows, or for texts what fills a batch and one more,
 *       but no more than the pages hold that it comes from, or of few pages {@link #SKEW} times the
 *       mean and a long one; twice while room for more is made;
 *   <li>in a nested column, for each leaf a step of levels, and of the nodes above it a bit and, in
 *       lists and maps, 4 bytes a slot. What there is of a repeated leaf for each row is reckoned
 *       at {@link #SKEW} times the mean, up to where a batch ends.
 * </ul>
 *
 * The chunk's sizes bound all pages, since a page that claims more than its chunk is refused. Where
 * the footer tells that there are several data pages, a page is reckoned at {@link #SKEW} times
 * their mean and a dictionary at {@link #USUAL_DICTIONARY}, which keeps the figure small for large
 * row groups of small pages: writers close pages at a size or a number of rows, and dictionaries at
 * a size. What is larger all the same, such as a page of few, far longer texts than usual, or one
 * text far longer than all others, meets the pool's own limit instead.
 */
final class MemoryEstimate {

    private static final int SKEW = 4;

    /** Twice the size at which writers give a dictionary up unless told otherwise. */
    private static final long USUAL_DICTIONARY = 2 << 20;

    /**
     * What the longest text of a chunk is reckoned at: bytes, or times the mean if that is more.
     */
    private static final long USUAL_VALUE = 1 << 20;

    private static final int LONGEST = 64;

    /** The stream, its readers and the file. */
    private static final long FIXED = 64 << 10;

    private MemoryEstimate() {}

    /**
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_SUPPORTED} for a codec that
     *     cannot be read: sizes tell nothing then
     */
    static long bytes(ScanTask task, Footer footer, int batchRows, ReadProfile profile) {
        if (task.partition() < 0 || task.partition() >= footer.rowGroups().size()) {
            return FIXED;
        }
        Footer.RowGroup group = footer.rowGroups().get(task.partition());
        long rows = Math.min(batchRows, task.rows());
        long sum = FIXED + Decompressor.CONTEXT_BYTES;
        List<ColumnNode.Leaf> leaves = new ArrayList<>();
        for (var wanted : task.columns().columns()) {
            Footer.Column column = footer.column(wanted.name());
            if (column != null && column.root() != null) {
                Place place = new Place(task.file().uri(), task.partition(), wanted.name());
                for (ColumnNode.Leaf leaf : column.root().leaves()) {
                    Decompressor.check(group.chunks().get(leaf.chunk()).codec(), place);
                    leaves.add(leaf);
                }
                sum +=
                        column.root() instanceof ColumnNode.Leaf
                                ? 0
                                : levels(column.root(), group, rows);
            }
        }
        ReadSizes sizes = ReadSizes.of(profile, leaves.size());
        List<Footer.Chunk> whole = new ArrayList<>();
        for (ColumnNode.Leaf leaf : leaves) {
            Footer.Chunk chunk = group.chunks().get(leaf.chunk());
            sum += leaf(leaf, chunk, group.rows(), rows);
            if (chunk.compressedBytes() <= sizes.window()) {
                whole.add(chunk);
            } else {
                sum += windows(chunk, sizes.window());
            }
        }
        return sum + FirstReads.bytes(whole, sizes);
    }

    private static long leaf(ColumnNode.Leaf leaf, Footer.Chunk chunk, long groupRows, long rows) {
        long page = page(chunk, chunk.uncompressedBytes());
        long dictionary = dictionary(chunk, page);
        long sum = Buffers.rounded(Math.max(page, dictionary) + Buffers.PADDING);
        sum += growth(leaf) * Buffers.rounded(dictionary) + Buffers.rounded(dictionary / 8);
        return sum + batch(leaf, chunk, entries(leaf, chunk, groupRows, rows));
    }

    /** Entries of a batch; one that has more than usual is ended early. */
    private static long entries(
            ColumnNode.Leaf leaf, Footer.Chunk chunk, long groupRows, long rows) {
        if (leaf.repetition() == 0) {
            return rows;
        }
        double perRow = (double) chunk.values() / Math.max(1, groupRows);
        double entries = Math.min(SKEW * perRow * rows, LeafBatch.FULL);
        return Math.min(chunk.values(), Math.max(rows, (long) entries));
    }

    /** Each leaf's step of levels and indices; validity and offsets of the nodes above it. */
    private static long levels(ColumnNode column, Footer.RowGroup group, long rows) {
        long sum = 0;
        for (ColumnNode.Leaf leaf : column.leaves()) {
            Footer.Chunk chunk = group.chunks().get(leaf.chunk());
            long entries = entries(leaf, chunk, group.rows(), rows);
            sum += 5L * LevelBuffer.STEP * Integer.BYTES;
            sum += leaf.presentAt() * Buffers.rounded(Bits.bytes(entries));
            sum += leaf.repetition() * Buffers.rounded(Integer.BYTES * (entries + 1));
        }
        return sum;
    }

    private static long windows(Footer.Chunk chunk, int window) {
        long compressed = chunk.compressedBytes();
        long page = page(chunk, compressed);
        long dictionary = dictionary(chunk, page(chunk, chunk.uncompressedBytes()));
        long largest = Math.max(page, Math.min(dictionary, compressed));
        long two = 2 * Buffers.rounded(Math.max(window, largest) + Buffers.PADDING);
        // Together they never hold more than the chunk, but for a page that is in both in part.
        long all = Buffers.rounded(compressed + Buffers.PADDING);
        return Math.min(two, all + Buffers.rounded(window + (long) Buffers.PADDING));
    }

    private static long dictionary(Footer.Chunk chunk, long page) {
        if (chunk.encodings().stream().noneMatch(Encodings::isDictionary)) {
            return 0;
        }
        return Math.min(
                Math.min(chunk.uncompressedBytes(), PageHeaders.MAX_PAGE),
                Math.max(page, USUAL_DICTIONARY));
    }

    private static long batch(ColumnNode.Leaf leaf, Footer.Chunk chunk, long rows) {
        long sum = Buffers.rounded(Bits.bytes(rows)) + 2 * Buffers.rounded(4 * (rows + 1));
        if (!isText(leaf)) {
            return sum + Buffers.rounded(rows * vectorWidth(leaf));
        }
        if (chunk.indexOnly()) {
            return sum;
        }
        long bytes = chunk.uncompressedBytes();
        long mean = bytes / Math.max(1, chunk.values());
        long last = Math.max(USUAL_VALUE, LONGEST * mean);
        double usual = (double) SKEW * bytes * rows / Math.max(1, chunk.values()) + last;
        if (chunk.dataPages() > SKEW) {
            double pages = (double) rows * chunk.dataPages() / Math.max(1, chunk.values()) + 2;
            usual = page(chunk, bytes) * pages;
        }
        bytes = (long) Math.min((double) bytes, usual);
        // A batch ends once it is full, which its last value may make it by far.
        long most = BytesDecoder.FULL + Math.min(page(chunk, chunk.uncompressedBytes()), last);
        boolean shared = chunk.encodings().contains(Encoding.DELTA_BYTE_ARRAY);
        bytes = shared ? most : Math.min(bytes, most);
        return sum + 2 * Buffers.rounded(bytes + Buffers.PADDING);
    }

    private static boolean isText(ColumnNode.Leaf leaf) {
        return leaf.physical() == PrimitiveTypeName.BINARY && !isDecimal(leaf);
    }

    private static boolean isDecimal(ColumnNode.Leaf leaf) {
        return leaf.field().type() instanceof ColumnType.Decimal;
    }

    private static long vectorWidth(ColumnNode.Leaf leaf) {
        return isDecimal(leaf) ? 16 : Math.max(8, leaf.typeLength());
    }

    /** How many times its bytes in the page a dictionary's vector can take. */
    private static long growth(ColumnNode.Leaf leaf) {
        return isDecimal(leaf) ? 16 : isText(leaf) ? 2 : 1;
    }

    /** A page's part of all the chunk's bytes; larger ones than the limit are refused. */
    private static long page(Footer.Chunk chunk, long total) {
        long page = chunk.dataPages() > SKEW ? total / chunk.dataPages() * SKEW : total;
        return Math.min(page, PageHeaders.MAX_PAGE);
    }
}
