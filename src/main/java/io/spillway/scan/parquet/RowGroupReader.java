package io.spillway.scan.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.VectorPredicate;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.scan.parquet.bytes.ChunkBytes;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ReadSizes;
import io.spillway.scan.parquet.codec.Decompressor;
import io.spillway.scan.parquet.column.ColumnReader;
import io.spillway.scan.parquet.column.ColumnRows;
import io.spillway.scan.parquet.column.ColumnSource;
import io.spillway.scan.parquet.column.LeafReader;
import io.spillway.scan.parquet.column.NestedReader;
import io.spillway.scan.parquet.column.TestedColumn;
import io.spillway.scan.parquet.column.WantedRows;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.footer.Int96;
import io.spillway.scan.parquet.index.RowRanges;
import io.spillway.scan.parquet.page.ChunkPageSource;
import io.spillway.scan.parquet.page.FirstReads;
import io.spillway.scan.parquet.page.PageSource;
import io.spillway.scan.parquet.pruning.RowSelection;
import io.spillway.scan.parquet.value.ValueDecoder;
import io.spillway.scan.parquet.value.ValueDecoders;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.parquet.format.CompressionCodec;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one row group: a reader a column, over one open file, with one decompressor a codec.
 * Columns are decoded one after the other, each as far as its pages are there.
 */
final class RowGroupReader implements AutoCloseable {

    private final RowSchema read;
    private final @Nullable VectorPredicate tested;
    private final int rowGroup;
    private final RowSelection selection;
    private final OpenFile file;
    private final MemoryPool pool;
    private final ScanMetrics metrics;
    private final List<ColumnRows> columns = new ArrayList<>();
    private final List<ChunkPageSource> chunks = new ArrayList<>();
    private ReadSizes sizes = ReadSizes.LEAST_WINDOW;
    private final Map<CompressionCodec, Decompressor> decompressors =
            new EnumMap<>(CompressionCodec.class);
    private final List<MemoryReservation> accounted = new ArrayList<>();

    /** Columns that have rows for the batch under way, and how many they all have. */
    private int complete;

    private int common;

    private CompletableFuture<?> waiting = CompletableFuture.completedFuture(null);

    private RowGroupReader(
            ScanTask task,
            @Nullable VectorPredicate tested,
            RowSelection selection,
            OpenFile file,
            MemoryPool pool,
            ScanMetrics metrics) {
        this.selection = selection;
        this.read = task.columns();
        this.tested = tested;
        this.rowGroup = task.partition();
        this.file = file;
        this.pool = pool;
        this.metrics = metrics;
    }

    /**
     * Starts to read the columns' first windows.
     *
     * @param tested a condition that is asked for in place of the task's one column; stays the
     *     caller's
     * @param selection the rows of the task that are read
     * @param file taken over, also if this fails
     * @throws SpillwayException {@code FILE_NOT_SUPPORTED} for a codec or encoding that cannot be
     *     read, {@code FILE_CORRUPT}, {@code SCHEMA_MISMATCH}, {@code MEMORY_LIMIT}
     */
    static RowGroupReader open(
            ScanTask task,
            @Nullable VectorPredicate tested,
            Footer footer,
            RowSelection selection,
            OpenFile file,
            MemoryPool pool,
            ScanMetrics metrics) {
        RowGroupReader reader = new RowGroupReader(task, tested, selection, file, pool, metrics);
        try {
            Footer.RowGroup group = rowGroup(task, footer);
            List<ColumnNode> columns = new ArrayList<>();
            for (ColumnSchema wanted : task.columns().columns()) {
                columns.add(check(wanted, footer, group, task));
            }
            int leaves = 0;
            for (ColumnNode column : columns) {
                leaves += column.leaves().size();
            }
            reader.sizes = ReadSizes.of(file.profile(), leaves);
            for (int i = 0; i < columns.size(); i++) {
                reader.add(task.columns().column(i), columns.get(i), group, task);
            }
            FirstReads.start(file, pool.allocator(), reader.sizes, reader.chunks);
            return reader;
        } catch (Throwable t) {
            reader.close();
            throw t;
        }
    }

    private static Footer.RowGroup rowGroup(ScanTask task, Footer footer) {
        Place place = Place.of(task.file().uri());
        if (task.partition() < 0 || task.partition() >= footer.rowGroups().size()) {
            throw place.failure(
                    ErrorCode.SOURCE_CHANGED, "There is no row group " + task.partition(), null);
        }
        Footer.RowGroup group = footer.rowGroups().get(task.partition());
        if (task.fromRow() < 0 || task.fromRow() > task.toRow() || task.toRow() > group.rows()) {
            throw place.failure(
                    ErrorCode.SOURCE_CHANGED,
                    "There are no rows %,d to %,d".formatted(task.fromRow(), task.toRow()),
                    null);
        }
        return group;
    }

    /**
     * The file's column of that name, if it is what is wanted and can be read in this row group.
     */
    private static ColumnNode check(
            ColumnSchema wanted, Footer footer, Footer.RowGroup group, ScanTask task) {
        Place place = new Place(task.file().uri(), task.partition(), wanted.name());
        Footer.Column column = footer.column(wanted.name());
        if (column == null) {
            throw place.failure(ErrorCode.SCHEMA_MISMATCH, "There is no such column", null);
        }
        ColumnNode root = column.root();
        if (root == null) {
            throw place.failure(
                    ErrorCode.FILE_NOT_SUPPORTED,
                    "The column cannot be read, since " + column.unreadable() + ",",
                    null);
        }
        ColumnNode read = Int96.matching(root, wanted.type());
        if (read == null) {
            throw place.failure(
                    ErrorCode.SCHEMA_MISMATCH,
                    "Type %s stands in place of %s".formatted(root.field().type(), wanted.type()),
                    null);
        }
        read.leaves().forEach(leaf -> check(leaf, group, place));
        return read;
    }

    /** A leaf without repeated nodes has one entry a row, others have one at least. */
    private static void check(ColumnNode.Leaf leaf, Footer.RowGroup group, Place place) {
        Footer.Chunk chunk = group.chunks().get(leaf.chunk());
        if (leaf.repetition() == 0
                ? chunk.values() != group.rows()
                : chunk.values() < group.rows()) {
            throw place.corrupt(
                    "A chunk of %,d values is in a row group of %,d rows"
                            .formatted(chunk.values(), group.rows()));
        }
    }

    private void add(ColumnSchema wanted, ColumnNode root, Footer.RowGroup group, ScanTask task) {
        Place place = new Place(task.file().uri(), task.partition(), wanted.name());
        WantedRows rows = wanted(task);
        try {
            ColumnSource source =
                    root instanceof ColumnNode.Leaf leaf
                            ? flat(wanted, leaf, group, rows, place)
                            : new NestedReader(
                                    wanted,
                                    root,
                                    path -> leaf(path, group, rows, place),
                                    pool.allocator(),
                                    place);
            columns.add(new ColumnRows(source));
        } catch (SpillwayException e) {
            throw place.with(e);
        }
    }

    private ColumnSource flat(
            ColumnSchema wanted,
            ColumnNode.Leaf leaf,
            Footer.RowGroup group,
            WantedRows rows,
            Place place) {
        PageSource pages = pages(leaf, group, place);
        ValueDecoder decoder = decoder(wanted, leaf, place);
        boolean optional = leaf.presentAt() > 0;
        return tested == null
                ? new ColumnReader(pages, decoder, pool.allocator(), optional, rows, place)
                : new TestedColumn(
                        pages, decoder, tested, read, pool.allocator(), optional, rows, place);
    }

    private WantedRows wanted(ScanTask task) {
        RowRanges rows = selection.rows();
        return task.soonRows() == 0
                ? WantedRows.of(rows)
                : new WantedRows(rows, rows.after(rows.from(), task.soonRows()));
    }

    private LeafReader leaf(
            List<ColumnNode> path, Footer.RowGroup group, WantedRows rows, Place place) {
        ColumnNode.Leaf leaf = (ColumnNode.Leaf) path.getLast();
        return new LeafReader(
                path,
                pages(leaf, group, place),
                decoder(leaf.field(), leaf, place),
                pool.allocator(),
                rows,
                group.rows(),
                place);
    }

    private PageSource pages(ColumnNode.Leaf leaf, Footer.RowGroup group, Place place) {
        Footer.Chunk chunk = group.chunks().get(leaf.chunk());
        Decompressor decompressor = decompressor(chunk.codec(), place);
        ChunkPageSource pages =
                new ChunkPageSource(
                        new ChunkBytes(file, pool.allocator(), sizes.window()),
                        chunk,
                        selection.pages(leaf.chunk()),
                        decompressor,
                        metrics,
                        place);
        chunks.add(pages);
        return pages;
    }

    private ValueDecoder decoder(ColumnSchema field, ColumnNode.Leaf leaf, Place place) {
        return ValueDecoders.of(field, leaf.physical(), leaf.typeLength(), pool.allocator(), place);
    }

    private Decompressor decompressor(CompressionCodec codec, Place place) {
        Decompressor there = decompressors.get(codec);
        if (there == null) {
            there = Decompressor.of(codec, place);
            decompressors.put(codec, there);
            accounted.add(pool.account(Decompressor.CONTEXT_BYTES));
        }
        return there;
    }

    /**
     * Decodes the next batch as far as its pages are there. It has fewer rows than asked for where
     * a column ends its own batch: what columns before that one have more is kept for the next, and
     * columns after it decode no more.
     *
     * @param rows its rows at most, above 0; the same again until it is complete
     * @return the batch, the caller's, of one row at least; or null: ask again when {@link
     *     #waiting} is done
     */
    @Nullable RecordBatch read(int rows) {
        if (complete == 0) {
            common = rows;
        }
        while (complete < columns.size()) {
            ColumnRows column = columns.get(complete);
            try {
                int there = column.read(common);
                if (there == 0) {
                    waiting = column.waiting();
                    return null;
                }
                common = there;
            } catch (SpillwayException e) {
                throw place(complete).with(e);
            }
            complete++;
        }
        complete = 0;
        List<ColumnVector> vectors = new ArrayList<>(columns.size());
        try {
            for (ColumnRows column : columns) {
                vectors.add(column.take(common));
            }
            return new RecordBatch(tested == null ? read : ScanFormat.TRUTH, vectors, common);
        } catch (Throwable t) {
            vectors.forEach(ColumnVector::close);
            throw t;
        }
    }

    private Place place(int column) {
        return new Place(file.pinned().uri(), rowGroup, read.column(column).name());
    }

    CompletableFuture<?> waiting() {
        return waiting;
    }

    /** Frees everything; reads under way are given up and free their buffers when they end. */
    @Override
    public void close() {
        columns.forEach(ColumnRows::close);
        columns.clear();
        file.close();
        decompressors.values().forEach(Decompressor::close);
        decompressors.clear();
        accounted.forEach(MemoryReservation::close);
        accounted.clear();
    }
}
