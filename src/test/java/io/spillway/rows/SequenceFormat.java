package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.vector.BigIntVector;

/**
 * Files whose rows are numbers, for tests of everything above a scan: the file's name says at which
 * number each of its partitions starts. Streams block now and then, give empty batches now and
 * then, and count how many are open.
 */
final class SequenceFormat implements ScanFormat {

    static final RowSchema SCHEMA =
            new RowSchema(List.of(new ColumnSchema("id", new ColumnType.Int(64, true), false)));

    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger releases = new AtomicInteger();

    /** Files, one a list, with partitions of these sizes; ids count through all of them. */
    static List<ScanFile> files(List<List<Integer>> sizes) {
        List<ScanFile> files = new ArrayList<>();
        long start = 0;
        for (List<Integer> partitions : sizes) {
            StringBuilder name = new StringBuilder("sequence:");
            List<Long> rows = new ArrayList<>();
            for (int size : partitions) {
                name.append(start).append(',');
                rows.add((long) size);
                start += size;
            }
            files.add(new ScanFile(new FileStatus(name.toString(), start, 0, null), rows));
        }
        return files;
    }

    @Override
    public String name() {
        return "sequence";
    }

    @Override
    public FileMetadata metadata(FileStatus file) {
        throw new IllegalStateException("not asked for");
    }

    @Override
    public long estimateBytes(ScanTask task, int batchRows) {
        return 1_000;
    }

    @Override
    public BatchStream open(ScanTask task, int batchRows, MemoryPool pool, ScanMetrics metrics) {
        String[] starts = task.file().uri().substring("sequence:".length()).split(",", -1);
        opened.incrementAndGet();
        open.incrementAndGet();
        return new Numbers(Long.parseLong(starts[task.partition()]), task, batchRows, pool);
    }

    private final class Numbers implements BatchStream {

        private final long start;
        private final long to;
        private final int batchRows;
        private final MemoryPool pool;
        private final boolean columns;
        private long next;
        private int polls;
        private boolean closed;

        Numbers(long start, ScanTask task, int batchRows, MemoryPool pool) {
            this.start = start;
            this.next = task.fromRow();
            this.to = task.toRow();
            this.batchRows = batchRows;
            this.pool = pool;
            this.columns = task.columns().size() > 0;
        }

        @Override
        public RowSchema schema() {
            return columns ? SCHEMA : new RowSchema(List.of());
        }

        @Override
        public Poll<RecordBatch> poll() {
            polls++;
            if (polls % 3 == 1) {
                return Poll.blocked(
                        new CompletableFuture<Void>()
                                .completeOnTimeout(null, polls % 2 * 100L, TimeUnit.MICROSECONDS));
            }
            if (polls % 7 == 0) {
                return Poll.output(batch(0));
            }
            return next == to
                    ? Poll.finished()
                    : Poll.output(batch((int) Math.min(batchRows, to - next)));
        }

        private RecordBatch batch(int count) {
            if (!columns) {
                next += count;
                return new RecordBatch(schema(), List.of(), count);
            }
            BigIntVector ids =
                    (BigIntVector) SCHEMA.column(0).toArrow().createVector(pool.allocator());
            ids.allocateNew(count);
            for (int i = 0; i < count; i++) {
                ids.set(i, start + next++);
            }
            ids.setValueCount(count);
            return new RecordBatch(SCHEMA, List.of(new ColumnVector.Plain(ids)), count);
        }

        @Override
        public void release() {
            releases.incrementAndGet();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open.decrementAndGet();
            }
        }
    }
}
