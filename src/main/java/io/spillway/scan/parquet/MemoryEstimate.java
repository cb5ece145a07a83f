package io.spillway.scan.parquet;

import io.spillway.batch.ColumnType;
import io.spillway.scan.ScanTask;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * What a stream over one row group holds at most, judged from the footer.
 *
 * <p>A column holds at most
 *
 * <ul>
 *   <li>its compressed bytes, if they fit one window; else two windows, each of {@link
 *       ChunkPageSource#WINDOW} or one page;
 *   <li>one decompressed page;
 *   <li>the dictionary: its page is one of the chunk's, and entries take in the vector at most
 *       {@link #growth} times what they take in the page;
 *   <li>the batch under way: 4 bytes a row each for indices and for offsets or a look-up, a bit for
 *       validity, and the values: width times rows, or for texts no more than the chunk's pages
 *       hold, twice while room for more is made.
 * </ul>
 *
 * The chunk's sizes bound all pages, since a page that claims more than its chunk is refused. Where
 * the footer tells that there are several data pages, a page is reckoned at {@link #SKEW} times
 * their mean and a dictionary at {@link #USUAL_DICTIONARY}, which keeps the figure small for large
 * row groups of small pages: writers close pages at a size or a number of rows, and dictionaries at
 * a size. What is larger all the same, such as a page of few, far longer texts than usual, meets
 * the pool's own limit instead.
 */
final class MemoryEstimate {

    private static final int SKEW = 4;

    /** Twice the size at which writers give a dictionary up unless told otherwise. */
    private static final long USUAL_DICTIONARY = 2 << 20;

    /** The stream, its readers and the file. */
    private static final long FIXED = 64 << 10;

    private MemoryEstimate() {}

    static long bytes(ScanTask task, Footer footer, int batchRows) {
        if (task.partition() < 0 || task.partition() >= footer.rowGroups().size()) {
            return FIXED;
        }
        Footer.RowGroup group = footer.rowGroups().get(task.partition());
        long rows = Math.min(batchRows, task.rows());
        long sum = FIXED;
        for (var wanted : task.columns().columns()) {
            Footer.Column column = footer.column(wanted.name());
            if (column != null && column.schema() != null) {
                sum += column(column, group.chunks().get(column.chunk()), rows);
            }
        }
        return sum + Decompressor.CONTEXT_BYTES;
    }

    private static long column(Footer.Column column, Footer.Chunk chunk, long rows) {
        long page = page(chunk, chunk.uncompressedBytes());
        long dictionary = dictionary(chunk, page);
        long sum = windows(chunk, dictionary);
        sum += Buffers.rounded(Math.max(page, dictionary) + Buffers.PADDING);
        sum += growth(column) * Buffers.rounded(dictionary) + Buffers.rounded(dictionary / 8);
        return sum + batch(column, chunk, rows);
    }

    private static long windows(Footer.Chunk chunk, long dictionary) {
        long compressed = chunk.compressedBytes();
        if (compressed <= ChunkPageSource.WINDOW) {
            return Buffers.rounded(compressed + Buffers.PADDING);
        }
        long page = Math.max(page(chunk, compressed), Math.min(dictionary, compressed));
        return 2 * Buffers.rounded(Math.max(ChunkPageSource.WINDOW, page) + Buffers.PADDING);
    }

    private static long dictionary(Footer.Chunk chunk, long page) {
        if (chunk.encodings().stream().noneMatch(Encodings::isDictionary)) {
            return 0;
        }
        return Math.min(
                Math.min(chunk.uncompressedBytes(), PageHeaders.MAX_PAGE),
                Math.max(page, USUAL_DICTIONARY));
    }

    private static long batch(Footer.Column column, Footer.Chunk chunk, long rows) {
        long sum = Buffers.rounded(Bits.bytes(rows)) + 2 * Buffers.rounded(4 * (rows + 1));
        if (!isText(column)) {
            return sum + Buffers.rounded(rows * vectorWidth(column));
        }
        if (chunk.indexOnly()) {
            return sum;
        }
        long bytes = chunk.uncompressedBytes();
        if (chunk.dataPages() > SKEW) {
            double pages = (double) rows * chunk.dataPages() / Math.max(1, chunk.values()) + 2;
            bytes = (long) Math.min((double) bytes, page(chunk, bytes) * pages);
        }
        return sum + 2 * Buffers.rounded(Math.min(bytes, Integer.MAX_VALUE) + Buffers.PADDING);
    }

    private static boolean isText(Footer.Column column) {
        return column.physical() == PrimitiveTypeName.BINARY && !isDecimal(column);
    }

    private static boolean isDecimal(Footer.Column column) {
        return column.schema() != null && column.schema().type() instanceof ColumnType.Decimal;
    }

    private static long vectorWidth(Footer.Column column) {
        return isDecimal(column) ? 16 : Math.max(8, column.typeLength());
    }

    /** How many times its bytes in the page a dictionary's vector can take. */
    private static long growth(Footer.Column column) {
        return isDecimal(column) ? 16 : isText(column) ? 2 : 1;
    }

    /** A page's part of all the chunk's bytes; larger ones than the limit are refused. */
    private static long page(Footer.Chunk chunk, long total) {
        long page = chunk.dataPages() > SKEW ? total / chunk.dataPages() * SKEW : total;
        return Math.min(page, PageHeaders.MAX_PAGE);
    }
}
