package io.spillway.scan.arrow;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.scan.arrow.BatchShape.Slot;
import io.spillway.scan.arrow.FileIndex.BatchPlace;
import io.spillway.scan.bytes.OpenFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads the record batches of a partition, window by window. Used by one thread at a time; all
 * methods but {@link #close} wait.
 */
final class RunReader implements AutoCloseable {

    /**
     * Rows that are in memory.
     *
     * @param firstRow the row of the partition that the record batch begins with
     * @param columns as the task has them
     * @param dictionaries by id, each with a reference of its own
     * @param limit bytes of a window up to which there may be two
     */
    record Rows(
            Window window,
            long firstRow,
            List<Slot> columns,
            Map<Long, DictionaryEntries> dictionaries,
            long limit)
            implements AutoCloseable {

        /** Whether there is room for another window beside this one. */
        boolean isSmall() {
            return window.bytes() <= limit;
        }

        /** The row of the partition behind the last. */
        long end() {
            return firstRow + window.to();
        }

        @Override
        public void close() {
            window.close();
            dictionaries.values().forEach(DictionaryEntries::close);
        }
    }

    private final ScanTask task;
    private final FileIndex index;
    private final OpenFile file;
    private final MemoryPool pool;
    private final MetadataBytes metadata;
    private final WindowReader windows;
    private final Dictionaries dictionaries;
    private final Place place;
    private final int[] fields;
    private final long limit;

    /** The batch that is being read, and its first row. */
    private int batch;

    private long firstRow;
    private @Nullable BatchShape shape;
    private long body;

    private RunReader(
            ScanTask task, FileIndex index, OpenFile file, MemoryPool pool, ScanMetrics metrics) {
        this.task = task;
        this.index = index;
        this.file = file;
        this.pool = pool;
        this.metadata = new MetadataBytes(file);
        this.place = metadata.place();
        this.windows = new WindowReader(file, pool.allocator(), metrics);
        this.fields = columns();
        List<ArrowField> wanted = new ArrayList<>();
        for (int field : fields) {
            wanted.add(index.fields().get(field));
        }
        this.dictionaries = new Dictionaries(index, wanted, metadata, windows, pool.allocator());
        this.limit = MemoryEstimate.window(file.profile());
        this.batch = index.firstBatches()[task.partition()];
    }

    /**
     * A reader of a task.
     *
     * @param file taken over, also if this fails
     * @throws io.spillway.error.SpillwayException {@code SOURCE_CHANGED}, {@code SCHEMA_MISMATCH},
     *     {@code FILE_NOT_SUPPORTED} for a column that cannot be read
     */
    static RunReader open(
            ScanTask task, FileIndex index, OpenFile file, MemoryPool pool, ScanMetrics metrics) {
        try {
            check(task, index);
            return new RunReader(task, index, file, pool, metrics);
        } catch (Throwable t) {
            file.close();
            throw t;
        }
    }

    private static void check(ScanTask task, FileIndex index) {
        int partition = task.partition();
        if (partition < 0
                || partition >= index.partitions()
                || task.fromRow() < 0
                || task.fromRow() > task.toRow()
                || task.toRow() > index.rows(partition)) {
            throw Place.of(task.file().uri())
                    .failure(
                            ErrorCode.SOURCE_CHANGED,
                            "There are no rows %,d to %,d of partition %,d"
                                    .formatted(task.fromRow(), task.toRow(), partition),
                            null);
        }
    }

    /** The positions of the task's columns, which are what is wanted and can be read. */
    private int[] columns() {
        int[] positions = new int[task.columns().size()];
        for (int i = 0; i < positions.length; i++) {
            var wanted = task.columns().column(i);
            Place at = place.inColumn(wanted.name());
            positions[i] = index.indexOf(wanted.name());
            if (positions[i] < 0) {
                throw at.failure(ErrorCode.SCHEMA_MISMATCH, "There is no such column", null);
            }
            ArrowField field = index.fields().get(positions[i]);
            if (field.type() == null) {
                throw at.failure(
                        ErrorCode.FILE_NOT_SUPPORTED,
                        "The column cannot be read, since " + field.unreadable() + ",",
                        null);
            }
            if (!field.type().equals(wanted.type())) {
                throw at.failure(
                        ErrorCode.SCHEMA_MISMATCH,
                        "Type %s stands in place of %s".formatted(field.type(), wanted.type()),
                        null);
            }
        }
        return positions;
    }

    /**
     * The next window.
     *
     * @param row of the partition, before the task's last; the window begins there or before
     * @return owned by the caller
     */
    Rows read(long row) {
        if (fields.length == 0) {
            // That the file is still there is known by now.
            BatchShape none = new BatchShape(task.toRow(), null, List.of(), List.of());
            Window window = new Window(none, row, task.toRow(), pool.allocator(), place);
            return new Rows(window, 0, List.of(), Map.of(), limit);
        }
        seek(row);
        Place at = place.inBatch(batch);
        try {
            return read(row, at);
        } catch (SpillwayException e) {
            throw at.with(e);
        }
    }

    private Rows read(long row, Place at) {
        BatchShape now = shape();
        List<Slot> wanted = Arrays.stream(fields).mapToObj(now.slots()::get).toList();
        Map<Long, DictionaryEntries> entries = dictionaries.at(index.batches().get(batch).place());
        try {
            Window window = window(now, wanted, row - firstRow, at);
            return new Rows(window, firstRow, wanted, entries, 2 * limit);
        } catch (Throwable t) {
            entries.values().forEach(DictionaryEntries::close);
            throw t;
        }
    }

    private Window window(BatchShape now, List<Slot> wanted, long from, Place at) {
        long bytes = 0;
        for (Slot slot : wanted) {
            bytes += slot.bytes();
        }
        long rows = Math.min(now.rows() - from, task.toRow() - firstRow - from);
        double perRow = (double) bytes / now.rows();
        boolean some = perRow * rows < bytes / 2.0 && bytes > file.profile().gapBytes();
        if (now.compression() != null || (bytes <= limit && !some)) {
            return windows.whole(now, wanted, body, at);
        }
        long count = Math.max(1, Math.min(rows, (long) (limit / perRow)));
        while (true) {
            Window window = windows.part(now, wanted, body, from, count, 2 * limit, at);
            if (window != null) {
                return window;
            }
            count = Math.max(1, count / 2);
        }
    }

    /** Goes to the batch that has a row. */
    private void seek(long row) {
        if (row < firstRow) {
            batch = index.firstBatches()[task.partition()];
            firstRow = 0;
            shape = null;
        }
        while (row >= firstRow + index.batches().get(batch).rows()) {
            firstRow += index.batches().get(batch).rows();
            batch++;
            shape = null;
        }
    }

    private BatchShape shape() {
        BatchShape there = shape;
        if (there == null) {
            BatchPlace at = index.batches().get(batch);
            Place where = place.inBatch(batch);
            MessageHead head = MessageHead.read(metadata, at.place());
            if (head == null) {
                throw where.corrupt("There is no record batch");
            }
            try {
                RecordBatch header =
                        head.header(MessageHeader.RecordBatch, new RecordBatch(), where);
                there = BatchShape.read(header, index.fields(), at.rows(), head, where);
            } catch (IndexOutOfBoundsException e) {
                throw where.corrupt(e);
            }
            body = head.body();
            shape = there;
        }
        return there;
    }

    /** Makes a read under way fail, if there is one. Frees nothing. */
    void abandon() {
        file.close();
    }

    /** Frees everything, once no read is under way. */
    @Override
    public void close() {
        file.close();
        dictionaries.close();
    }
}
