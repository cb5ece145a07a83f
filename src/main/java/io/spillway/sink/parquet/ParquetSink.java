package io.spillway.sink.parquet;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.operator.RowBytes;
import io.spillway.storage.FileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches as Parquet files, one after the other: Zstandard, dictionaries where they pay,
 * statistics, page indexes, page checksums. The same rows always make the same bytes.
 *
 * <p>A row group is encoded and compressed in memory, a column at a time, and goes to its file as a
 * whole. Encoding needs a core; only {@link #open}, {@link #flush} and {@link #finish} wait for the
 * file system. So a caller that may not wait has those called elsewhere:
 *
 * <pre>
 *   open ─▶ write ─▶ write … until isFull ─▶ seal ─▶ flush ─▶ write … seal ─▶ flush ─▶ finish ─▶ open
 * </pre>
 *
 * <p>Memory: pages are of the allocator, {@link #memory} of them at most if rows are of usual size.
 * A batch's rows are taken in runs of some hundred kilobytes, of which arrays on the heap hold
 * copies.
 *
 * <p>One thread at a time. Files stay their opener's, to be committed or given up.
 */
public final class ParquetSink implements AutoCloseable {

    /** The most rows of a row group. */
    private static final int ROW_GROUP_ROWS = 1 << 20;

    private static final int MOST_PAGE_BYTES = 1 << 20;
    private static final int LEAST_PAGE_BYTES = 8 << 10;
    private static final int PAGE_ROWS = 20_000;
    private static final int INDEX_TEXT_BYTES = 64;

    /** Rows that are written at a time, column after column. */
    private static final int RUN_ROWS = 1_024;

    private static final long RUN_BYTES = 256 << 10;

    private final RowSchema schema;
    private final MessageType fileSchema;
    private final long rowGroupBytes;
    private final long fileBytes;
    private final Map<String, String> metadata;
    private final PageMemory memory;
    private final PageCompressor compressor = new PageCompressor();
    private final ParquetProperties properties;

    private @Nullable FileOutput output;
    private @Nullable ParquetFileWriter file;

    // Of the row group that is being made.
    private @Nullable ColumnChunkPageWriteStore pages;
    private @Nullable ColumnWriteStore columns;
    private List<ColumnNode> nodes = List.of();
    private long rows;

    /**
     * Writes nothing yet.
     *
     * @param rowGroupBytes memory that a row group may take before it is ended
     * @param fileBytes a row group also ends before its file gets larger, about
     * @param allocator for pages
     * @param metadata key-value pairs for the footers
     * @throws SpillwayException {@code NOT_SUPPORTED} if no Parquet file can hold such rows
     */
    public ParquetSink(
            RowSchema schema,
            long rowGroupBytes,
            long fileBytes,
            BufferAllocator allocator,
            Map<String, String> metadata) {
        this.schema = schema;
        this.fileSchema = ParquetSchemas.of(schema);
        this.rowGroupBytes = rowGroupBytes;
        this.fileBytes = fileBytes;
        this.metadata = Map.copyOf(metadata);
        this.memory = new PageMemory(allocator);
        int leaves = Math.max(1, fileSchema.getColumns().size());
        int page = Math.clamp(rowGroupBytes / 4 / leaves, LEAST_PAGE_BYTES, MOST_PAGE_BYTES);
        this.properties =
                ParquetProperties.builder()
                        .withAllocator(memory)
                        .withPageSize(page)
                        .withDictionaryPageSize(page)
                        .withPageRowCountLimit(PAGE_ROWS)
                        .withColumnIndexTruncateLength(INDEX_TEXT_BYTES)
                        .withPageWriteChecksumEnabled(true)
                        .build();
    }

    /**
     * Checks that rows can be written.
     *
     * @throws SpillwayException {@code NOT_SUPPORTED}
     */
    public static void check(RowSchema schema) {
        ParquetSchemas.of(schema);
    }

    /**
     * Bytes that a sink holds at most: pages, and their compressed form beside them for a while.
     */
    public static long memory(long rowGroupBytes) {
        return 2 * rowGroupBytes;
    }

    /**
     * Begins a file. Waits.
     *
     * @param writer stays the caller's; written to until {@link #finish}
     */
    public void open(FileWriter writer) {
        FileOutput out = new FileOutput(writer);
        output = out;
        io(
                () -> {
                    ParquetFileWriter opened =
                            new ParquetFileWriter(
                                    out,
                                    fileSchema,
                                    ParquetFileWriter.Mode.CREATE,
                                    rowGroupBytes,
                                    0,
                                    INDEX_TEXT_BYTES,
                                    Integer.MAX_VALUE,
                                    true);
                    file = opened;
                    opened.start();
                });
    }

    /**
     * Takes rows of a batch, which stays the caller's, until the row group is full.
     *
     * @param to the row after the last that may be taken
     * @return the row after the last that was taken
     * @throws SpillwayException {@code INVALID_TEXT}, {@code ARITHMETIC_OVERFLOW} with {@code
     *     COLUMN}, and {@code ROW} counted in the batch where a value itself is wrong; {@code
     *     MEMORY_LIMIT} by the allocator
     */
    public int write(RecordBatch batch, int from, int to) {
        begin();
        check(batch);
        int at = from;
        while (at < to && !isFull()) {
            int end = runEnd(batch, at, to);
            for (int i = 0; i < nodes.size(); i++) {
                write(batch.column(i), i, at, end);
            }
            ColumnWriteStore open = Objects.requireNonNull(columns);
            for (int i = at; i < end; i++) {
                open.endRecord();
            }
            rows += end - at;
            at = end;
        }
        return at;
    }

    /** Whether the row group is to be ended. */
    public boolean isFull() {
        return rows >= ROW_GROUP_ROWS
                || memory.bytes() >= rowGroupBytes
                || (rows > 0 && memory.bytes() + fileSize() >= fileBytes);
    }

    /** Whether there are rows that are in no file yet. */
    public boolean hasRows() {
        return rows > 0;
    }

    /** Bytes of the file so far, without the row group that is being made. */
    public long fileSize() {
        return output == null ? 0 : output.getPos();
    }

    /** Ends the pages of the row group. */
    public void seal() {
        if (rows > 0) {
            Objects.requireNonNull(columns).flush();
        }
    }

    /** Writes the row group that was {@linkplain #seal sealed} to the file. Waits. */
    public void flush() {
        if (rows == 0) {
            return;
        }
        ParquetFileWriter open = Objects.requireNonNull(file);
        io(
                () -> {
                    open.startBlock(rows);
                    Objects.requireNonNull(pages).flushToFileWriter(open);
                    open.endBlock();
                });
        endRowGroup();
    }

    /** Ends the file with its footer; it is still to be committed. Waits. */
    public void finish() {
        ParquetFileWriter open = Objects.requireNonNull(file);
        FileOutput out = Objects.requireNonNull(output);
        io(
                () -> {
                    out.keepTail();
                    open.end(metadata);
                    byte[] footer = Footers.signed(out.tail());
                    out.end(footer);
                });
        file = null;
        output = null;
    }

    private void begin() {
        if (columns != null) {
            return;
        }
        ColumnChunkPageWriteStore chunks =
                new ColumnChunkPageWriteStore(
                        compressor, fileSchema, memory, INDEX_TEXT_BYTES, true);
        ColumnWriteStore writers = properties.newColumnWriteStore(fileSchema, chunks, chunks);
        pages = chunks;
        columns = writers;
        Iterator<ColumnDescriptor> leaves = fileSchema.getColumns().iterator();
        Supplier<ColumnWriter> next = () -> writers.getColumnWriter(leaves.next());
        nodes = new ArrayList<>(schema.size());
        schema.columns().forEach(c -> nodes.add(ColumnNode.of(c.type(), c.nullable(), 0, next)));
    }

    private void check(RecordBatch batch) {
        for (int i = 0; i < nodes.size(); i++) {
            ColumnNode node = nodes.get(i);
            int invalid =
                    switch (batch.column(i)) {
                        case ColumnVector.Plain(var vector) -> node.firstInvalid(vector);
                        case ColumnVector.Encoded(var _, var dictionary) ->
                                leaf(i).values().firstInvalidEntry(dictionary.values());
                    };
            if (invalid >= 0) {
                boolean isRow =
                        node instanceof ColumnNode.Leaf
                                && batch.column(i) instanceof ColumnVector.Plain;
                throw at(
                        new SpillwayException(
                                        ErrorCode.INVALID_TEXT,
                                        "A text is not valid UTF-8, so it cannot be written as one")
                                .with(SpillwayException.ROW, isRow ? (long) invalid : null),
                        i);
            }
        }
    }

    private void write(ColumnVector column, int index, int from, int to) {
        try {
            ColumnNode node = nodes.get(index);
            node.levels().rows(from, to);
            switch (column) {
                case ColumnVector.Plain(var vector) -> node.write(vector);
                case ColumnVector.Encoded(var indices, var dictionary) ->
                        leaf(index).writeDictionary(indices, dictionary.values());
            }
        } catch (SpillwayException e) {
            throw at(e, index);
        }
    }

    private SpillwayException at(SpillwayException failure, int column) {
        return failure.with(SpillwayException.COLUMN, schema.column(column).name());
    }

    private ColumnNode.Leaf leaf(int index) {
        return (ColumnNode.Leaf) nodes.get(index);
    }

    /** The end of the rows that are written together: fewer of them where they are large. */
    private static int runEnd(RecordBatch batch, int from, int to) {
        int end = Math.min(to, from + RUN_ROWS);
        while (end - from > 1 && bytes(batch, from, end) > RUN_BYTES) {
            end = from + (end - from) / 2;
        }
        return end;
    }

    private static long bytes(RecordBatch batch, int from, int to) {
        long sum = 0;
        for (int i = 0; i < batch.schema().size(); i++) {
            if (batch.column(i) instanceof ColumnVector.Plain(var vector)) {
                sum += RowBytes.of(vector, from, to);
            }
        }
        return sum;
    }

    private void endRowGroup() {
        ColumnWriteStore writers = columns;
        ColumnChunkPageWriteStore chunks = pages;
        columns = null;
        pages = null;
        rows = 0;
        nodes = List.of();
        if (writers != null) {
            writers.close();
        }
        if (chunks != null) {
            chunks.close();
        }
        memory.close();
    }

    private interface Io {
        void run() throws IOException;
    }

    /** What the file system says is typed; parquet-java itself fails in no other way. */
    private static void io(Io action) {
        try {
            action.run();
        } catch (IOException e) {
            throw new SpillwayException(ErrorCode.WRITE_FAILED, "A file could not be written", e);
        }
    }

    /** Gives up what is not finished. */
    @Override
    public void close() {
        endRowGroup();
        file = null;
        output = null;
        compressor.release();
    }
}
