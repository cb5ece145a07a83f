package io.spillway.scan.parquet.pruning;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.scan.parquet.bytes.FilePieces;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.footer.IndexPlaces;
import io.spillway.scan.parquet.footer.LeafValues;
import io.spillway.scan.parquet.footer.ValueOrder;
import io.spillway.scan.parquet.index.BloomFilter;
import io.spillway.scan.parquet.index.ColumnIndex;
import io.spillway.scan.parquet.index.OffsetIndex;
import io.spillway.scan.parquet.index.PageCursor;
import io.spillway.scan.parquet.index.PagePlan;
import io.spillway.scan.parquet.index.RowRanges;
import io.spillway.scan.pruning.PruningPredicate;
import io.spillway.scan.pruning.Scalar;
import io.spillway.scan.pruning.ValueSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds which rows of a task can match its filter, cheapest knowledge first, and where their pages
 * are. What is read costs a small part of what it can save at most.
 *
 * <ol>
 *   <li>Statistics of the row group, which the footer has.
 *   <li>Bloom filters of columns that are compared with constants: a block of 32 bytes a constant.
 *   <li>The page index of the filter's columns. Pages of different columns have different borders:
 *       the condition is asked for every run of rows between two borders of any of them.
 *   <li>Dictionaries of columns that are compared with constants, if these are small beside what
 *       they can save.
 * </ol>
 *
 * An index that is damaged or contradicts itself rules nothing out. Used by one thread, which
 * waits.
 */
public final class RowGroupPruner implements AutoCloseable {

    /** A dictionary is read if it is not more than one in so many bytes that it may save. */
    private static final int DICTIONARY_PAYS = 16;

    /** An offset index is read if it is not more than one in so many bytes that it may save. */
    private static final int OFFSETS_PAY = 4;

    private final ScanTask task;
    private final Footer.RowGroup group;
    private final OpenFile file;
    private final MemoryPool pool;
    private final ScanMetrics metrics;
    private final FilePieces pieces;

    /** The leaf of each of the task's columns, or null if it is not one that can be compared. */
    private final List<ColumnNode.@Nullable Leaf> leaves;

    /** Numbers of all chunks of the task's columns. */
    private final List<Integer> chunks = new ArrayList<>();

    private final Map<Integer, ValueSet> facts = new HashMap<>();
    private final Map<Integer, OffsetIndex> places = new HashMap<>();

    private RowGroupPruner(
            ScanTask task, Footer footer, OpenFile file, MemoryPool pool, ScanMetrics metrics) {
        this.task = task;
        this.group = footer.rowGroups().get(task.partition());
        this.file = file;
        this.pool = pool;
        this.metrics = metrics;
        this.pieces = new FilePieces(file, pool);
        this.leaves = leaves(footer, task.columns());
        for (String name : task.columns().names()) {
            Footer.Column column = footer.column(name);
            if (column != null && column.root() != null) {
                column.root().leaves().forEach(leaf -> chunks.add(leaf.chunk()));
            }
        }
    }

    /**
     * The rows of a task that have to be read.
     *
     * @param file stays the caller's
     * @throws io.spillway.error.SpillwayException as {@link OpenFile#readFully}; {@code
     *     MEMORY_LIMIT}
     */
    public static RowSelection select(
            ScanTask task, Footer footer, OpenFile file, MemoryPool pool, ScanMetrics metrics) {
        RowRanges all = RowRanges.of(task.fromRow(), task.toRow());
        boolean exists = task.partition() >= 0 && task.partition() < footer.rowGroups().size();
        if (!exists || all.to() > footer.rowGroups().get(task.partition()).rows()) {
            return RowSelection.of(all);
        }
        try (RowGroupPruner pruner = new RowGroupPruner(task, footer, file, pool, metrics)) {
            return pruner.select(all);
        }
    }

    /** Row groups of a file that cannot match by what its footer says. */
    public static BitSet prune(Footer footer, RowSchema columns, PruningPredicate filter) {
        List<ColumnNode.@Nullable Leaf> leaves = leaves(footer, columns);
        BitSet pruned = new BitSet();
        for (int i = 0; i < footer.rowGroups().size(); i++) {
            Footer.RowGroup group = footer.rowGroups().get(i);
            if (!filter.canMatch(column -> statistics(leaves.get(column), group))) {
                pruned.set(i);
            }
        }
        return pruned;
    }

    /** The leaf of each column, or null if it is not one that can be compared. */
    private static List<ColumnNode.@Nullable Leaf> leaves(Footer footer, RowSchema columns) {
        List<ColumnNode.@Nullable Leaf> leaves = new ArrayList<>(columns.size());
        for (ColumnSchema wanted : columns.columns()) {
            Footer.Column column = footer.column(wanted.name());
            leaves.add(
                    column != null
                                    && column.root() instanceof ColumnNode.Leaf leaf
                                    && leaf.repetition() == 0
                                    && leaf.field().type().equals(wanted.type())
                            ? leaf
                            : null);
        }
        return leaves;
    }

    /** What the footer says of a leaf's values in a row group. */
    private static ValueSet statistics(ColumnNode.@Nullable Leaf leaf, Footer.RowGroup group) {
        if (leaf == null) {
            return ValueSet.anything();
        }
        Footer.Chunk chunk = group.chunks().get(leaf.chunk());
        return chunk.values() == group.rows()
                ? new LeafValues(leaf).in(chunk)
                : ValueSet.anything();
    }

    private RowSelection select(RowRanges all) {
        if (task.filter() == null) {
            if (all.from() > 0) {
                addPlaces(all);
            }
            return new RowSelection(all, places, List.of());
        }
        PruningPredicate filter = PruningPredicate.of(task.filter());
        filter.compared().stream().forEach(c -> facts.put(c, statistics(leaves.get(c), group)));
        if (!canMatch(filter)) {
            return RowSelection.none(partition(Pruned.By.STATISTICS));
        }
        if (addBloomFilters(filter) && !canMatch(filter)) {
            return RowSelection.none(partition(Pruned.By.BLOOM_FILTER));
        }
        RowRanges rows = byPageIndex(filter, all);
        if (rows.isEmpty()) {
            return RowSelection.none(partition(Pruned.By.PAGE_INDEX));
        }
        if (addDictionaries(filter, rows) && !canMatch(filter)) {
            return RowSelection.none(partition(Pruned.By.DICTIONARY));
        }
        if (rows.from() > 0 || rows.count() < all.count()) {
            addPlaces(rows);
        }
        return new RowSelection(
                rows, places, rows.count() < all.count() ? pages(all, rows) : List.of());
    }

    private boolean canMatch(PruningPredicate filter) {
        return filter.canMatch(this::fact);
    }

    private ValueSet fact(int column) {
        return facts.getOrDefault(column, ValueSet.anything());
    }

    private Footer.Chunk chunk(ColumnNode.Leaf leaf) {
        return group.chunks().get(leaf.chunk());
    }

    private boolean addBloomFilters(PruningPredicate filter) {
        boolean added = false;
        for (int column : filter.sought().stream().toArray()) {
            ColumnNode.Leaf leaf = leaves.get(column);
            if (leaf != null && chunk(leaf).values() == group.rows()) {
                BloomFilter bloom =
                        BloomFilter.open(pieces, chunk(leaf), leaf, file.pinned().size());
                if (bloom != null) {
                    facts.put(column, fact(column).knowing(bloom));
                    added = true;
                }
            }
        }
        return added;
    }

    private boolean addDictionaries(PruningPredicate filter, RowRanges rows) {
        boolean added = false;
        long savings = share(bytes(), rows.count());
        for (int column : filter.sought().stream().toArray()) {
            ColumnNode.Leaf leaf = leaves.get(column);
            if (leaf == null
                    || chunk(leaf).values() != group.rows()
                    || !DictionaryEntries.tell(chunk(leaf), leaf)
                    || chunk(leaf).dictionaryBytes() > savings / DICTIONARY_PAYS) {
                continue;
            }
            Place place = new Place(task.file().uri(), task.partition(), leaf.field().name());
            List<Scalar> entries =
                    new DictionaryEntries(file, pool, metrics).read(chunk(leaf), leaf, place);
            if (entries != null) {
                boolean nulls = leaf.field().nullable() && chunk(leaf).statistics().nulls() != 0;
                facts.put(column, ValueSet.of(entries, nulls));
                added = true;
            }
        }
        return added;
    }

    /** The rows of runs between page borders for which the filter can match. */
    private RowRanges byPageIndex(PruningPredicate filter, RowRanges all) {
        Map<Integer, ColumnIndex> indexes = pageIndexes(filter);
        if (indexes.isEmpty()) {
            return all;
        }
        PageCursor cursor = new PageCursor(indexes, places(indexes), facts);
        RowRanges.Builder matching = new RowRanges.Builder();
        for (long row = all.from(); row < all.to(); row = cursor.end()) {
            cursor.moveTo(row);
            if (filter.canMatch(cursor)) {
                matching.add(row, Math.min(cursor.end(), all.to()));
            }
        }
        return matching.build();
    }

    private Map<Integer, OffsetIndex> places(Map<Integer, ColumnIndex> indexes) {
        Map<Integer, OffsetIndex> byColumn = new HashMap<>();
        for (int column : indexes.keySet()) {
            ColumnNode.Leaf leaf = leaves.get(column);
            OffsetIndex index = leaf == null ? null : places.get(leaf.chunk());
            if (index != null) {
                byColumn.put(column, index);
            }
        }
        return byColumn;
    }

    /** The indexes of the filter's columns that have one; adds the places of their pages. */
    private Map<Integer, ColumnIndex> pageIndexes(PruningPredicate filter) {
        Map<Integer, FilePieces.Piece> offsets = new HashMap<>();
        Map<Integer, FilePieces.Piece> bounds = new HashMap<>();
        for (int column : filter.compared().stream().toArray()) {
            ColumnNode.Leaf leaf = leaves.get(column);
            if (leaf == null || chunk(leaf).values() != group.rows()) {
                continue;
            }
            IndexPlaces where = chunk(leaf).indexes();
            boolean ordered = chunk(leaf).statistics().order() == ValueOrder.of(leaf);
            if (ordered && where.columnIndexBytes() > 0 && where.offsetIndexBytes() > 0) {
                bounds.put(
                        column,
                        new FilePieces.Piece(where.columnIndex(), where.columnIndexBytes()));
                offsets.put(
                        leaf.chunk(),
                        new FilePieces.Piece(where.offsetIndex(), where.offsetIndexBytes()));
            }
        }
        readPlaces(offsets);
        Map<Integer, ColumnIndex> indexes = new HashMap<>();
        pieces.read(bounds)
                .forEach(
                        (column, bytes) -> {
                            ColumnNode.Leaf leaf = leaves.get(column);
                            OffsetIndex index = leaf == null ? null : places.get(leaf.chunk());
                            if (index != null) {
                                ColumnIndex read =
                                        ColumnIndex.read(bytes, new LeafValues(leaf), index);
                                if (read != null) {
                                    indexes.put(column, read);
                                }
                            }
                        });
        return indexes;
    }

    private void readPlaces(Map<Integer, FilePieces.Piece> offsets) {
        pieces.read(offsets)
                .forEach(
                        (chunk, bytes) -> {
                            OffsetIndex index =
                                    OffsetIndex.read(
                                            bytes, group.chunks().get(chunk), group.rows());
                            if (index != null) {
                                places.put(chunk, index);
                            }
                        });
    }

    /** Finds the pages of all chunks that are read, where that pays. */
    private void addPlaces(RowRanges rows) {
        Map<Integer, FilePieces.Piece> missing = new HashMap<>();
        for (int chunk : chunks) {
            Footer.Chunk c = group.chunks().get(chunk);
            IndexPlaces where = c.indexes();
            long savings = share(c.compressedBytes(), group.rows() - rows.count());
            if (!places.containsKey(chunk)
                    && where.offsetIndexBytes() > 0
                    && where.offsetIndexBytes() <= savings / OFFSETS_PAY) {
                missing.put(
                        chunk, new FilePieces.Piece(where.offsetIndex(), where.offsetIndexBytes()));
            }
        }
        readPlaces(missing);
    }

    /** Bytes that reading all rows would take. */
    private long bytes() {
        long sum = 0;
        for (int chunk : chunks) {
            sum += group.chunks().get(chunk).compressedBytes();
        }
        return sum;
    }

    /** About as much of some bytes as some rows are of the row group's. */
    private long share(long bytes, long rows) {
        return (long) ((double) bytes * rows / Math.max(1, group.rows()));
    }

    private Pruned partition(Pruned.By by) {
        return new Pruned(by, 1, 0, task.rows(), bytes());
    }

    /** What is left out of pages that have rows of the task. */
    private List<Pruned> pages(RowRanges all, RowRanges rows) {
        long pages = 0;
        long bytes = 0;
        for (int chunk : chunks) {
            OffsetIndex index = places.get(chunk);
            if (index != null) {
                PagePlan without = PagePlan.of(index, all);
                PagePlan with = PagePlan.of(index, rows);
                pages += without.size() - with.size();
                bytes += with.bytesLeft() - without.bytesLeft();
            }
        }
        return List.of(
                new Pruned(Pruned.By.PAGE_INDEX, 0, pages, all.count() - rows.count(), bytes));
    }

    @Override
    public void close() {
        pieces.close();
    }
}
