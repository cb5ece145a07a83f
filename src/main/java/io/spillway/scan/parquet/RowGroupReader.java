package io.spillway.scan.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one row group: a reader a column, over one open file, with one decompressor a codec.
 * Columns are decoded one after the other, each as far as its pages are there.
 */
final class RowGroupReader implements AutoCloseable {

    private final RowSchema schema;
    private final int rowGroup;
    private final OpenFile file;
    private final MemoryPool pool;
    private final ScanMetrics metrics;
    private final List<ColumnReader> columns = new ArrayList<>();
    private final Map<CompressionCodec, Decompressor> decompressors =
            new EnumMap<>(CompressionCodec.class);
    private final List<MemoryReservation> accounted = new ArrayList<>();

    /** Columns of the batch under way that are complete. */
    private int complete;

    private CompletableFuture<?> waiting = CompletableFuture.completedFuture(null);

    private RowGroupReader(ScanTask task, OpenFile file, MemoryPool pool, ScanMetrics metrics) {
        this.schema = task.columns();
        this.rowGroup = task.partition();
        this.file = file;
        this.pool = pool;
        this.metrics = metrics;
    }

    /**
     * Starts to read the columns' first windows.
     *
     * @param file taken over, also if this fails
     * @throws SpillwayException {@code FILE_NOT_SUPPORTED} for a codec or encoding that cannot be
     *     read, {@code FILE_CORRUPT}, {@code SCHEMA_MISMATCH}, {@code MEMORY_LIMIT}
     */
    static RowGroupReader open(
            ScanTask task, Footer footer, OpenFile file, MemoryPool pool, ScanMetrics metrics) {
        RowGroupReader reader = new RowGroupReader(task, file, pool, metrics);
        try {
            Footer.RowGroup group = rowGroup(task, footer);
            List<Footer.Column> columns = new ArrayList<>();
            for (ColumnSchema wanted : task.columns().columns()) {
                columns.add(check(wanted, footer, group, task));
            }
            for (int i = 0; i < columns.size(); i++) {
                reader.add(task.columns().column(i), columns.get(i), group, task);
            }
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
    private static Footer.Column check(
            ColumnSchema wanted, Footer footer, Footer.RowGroup group, ScanTask task) {
        Place place = new Place(task.file().uri(), task.partition(), wanted.name());
        Footer.Column column = footer.column(wanted.name());
        if (column == null) {
            throw place.failure(ErrorCode.SCHEMA_MISMATCH, "There is no such column", null);
        }
        if (column.schema() == null) {
            throw place.failure(
                    ErrorCode.FILE_NOT_SUPPORTED,
                    "The column cannot be read, since " + column.unreadable() + ",",
                    null);
        }
        if (!column.schema().type().equals(wanted.type())) {
            throw place.failure(
                    ErrorCode.SCHEMA_MISMATCH,
                    "Type %s stands in place of %s"
                            .formatted(column.schema().type(), wanted.type()),
                    null);
        }
        Footer.Chunk chunk = group.chunks().get(column.chunk());
        if (chunk.values() != group.rows()) {
            throw place.corrupt(
                    "A chunk of %,d values is in a row group of %,d rows"
                            .formatted(chunk.values(), group.rows()));
        }
        for (Encoding encoding : chunk.encodings()) {
            if (!Encodings.mayBeReadable(encoding)) {
                throw place.notSupported("Encoding " + encoding);
            }
        }
        return column;
    }

    private void add(
            ColumnSchema wanted, Footer.Column column, Footer.RowGroup group, ScanTask task) {
        Place place = new Place(task.file().uri(), task.partition(), wanted.name());
        Footer.Chunk chunk = group.chunks().get(column.chunk());
        PrimitiveTypeName physical = column.physical();
        ColumnSchema schema = column.schema();
        if (physical == null || schema == null) {
            throw new IllegalArgumentException(wanted.name());
        }
        try {
            Decompressor decompressor = decompressor(chunk.codec(), place);
            ValueDecoder decoder =
                    ValueDecoders.of(
                            wanted, physical, column.typeLength(), pool.allocator(), place);
            PageSource pages =
                    new ChunkPageSource(
                            file, chunk, decompressor, pool.allocator(), metrics, place);
            columns.add(
                    new ColumnReader(
                            pages,
                            decoder,
                            pool.allocator(),
                            schema.nullable(),
                            task.fromRow(),
                            task.rows(),
                            place));
        } catch (SpillwayException e) {
            throw place.with(e);
        }
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
     * Decodes the next batch as far as its pages are there.
     *
     * @param rows its rows, above 0; the same again until it is complete
     * @return the batch, the caller's, or null: ask again when {@link #waiting} is done
     */
    @Nullable RecordBatch read(int rows) {
        while (complete < columns.size()) {
            ColumnReader column = columns.get(complete);
            try {
                if (!column.read(rows)) {
                    waiting = column.waiting();
                    return null;
                }
            } catch (SpillwayException e) {
                throw place(complete).with(e);
            }
            complete++;
        }
        complete = 0;
        List<ColumnVector> vectors = new ArrayList<>(columns.size());
        try {
            for (ColumnReader column : columns) {
                vectors.add(column.take());
            }
            return new RecordBatch(schema, vectors, rows);
        } catch (Throwable t) {
            vectors.forEach(ColumnVector::close);
            throw t;
        }
    }

    private Place place(int column) {
        return new Place(file.pinned().uri(), rowGroup, schema.column(column).name());
    }

    CompletableFuture<?> waiting() {
        return waiting;
    }

    /** Frees everything; reads under way are given up and free their buffers when they end. */
    @Override
    public void close() {
        columns.forEach(ColumnReader::close);
        columns.clear();
        file.close();
        decompressors.values().forEach(Decompressor::close);
        decompressors.clear();
        accounted.forEach(MemoryReservation::close);
        accounted.clear();
    }
}
