package io.spillway.rows;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.jspecify.annotations.Nullable;

/**
 * Files whose rows are numbers, for tests of everything above a scan: the file's name says at which
 * number each of its partitions starts. Streams block now and then, give empty batches now and
 * then, and count how many are open. Of a filter {@code id % m = r} they make use, a few rows at a
 * time.
 */
final class SequenceFormat implements ScanFormat {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    static final RowSchema SCHEMA = new RowSchema(List.of(new ColumnSchema("id", INT64, false)));

    /** With a list that is null, empty or has a few elements; {@link #items} tells which. */
    static final RowSchema WITH_ITEMS =
            new RowSchema(
                    List.of(
                            SCHEMA.column(0),
                            new ColumnSchema("items", new ColumnType.ListOf(INT64, true), true)));

    /** Rows that are left out together, or not at all. */
    private static final int PAGE = 8;

    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger releases = new AtomicInteger();
    final AtomicLong rowsRead = new AtomicLong();

    /** The list that stands beside a number. */
    static @Nullable List<Long> items(long id) {
        return id % 7 == 3
                ? null
                : LongStream.range(0, id * 31 % 5).mapToObj(i -> 10 * id + i).toList();
    }

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
    public ScanStream open(ScanTask task, int batchRows, MemoryPool pool, ScanMetrics metrics) {
        String[] starts = task.file().uri().substring("sequence:".length()).split(",", -1);
        opened.incrementAndGet();
        open.incrementAndGet();
        return new Numbers(Long.parseLong(starts[task.partition()]), task, batchRows, pool);
    }

    private final class Numbers implements ScanStream {

        private final ScanTask task;
        private final long start;
        private final int batchRows;
        private final MemoryPool pool;
        private final LongPredicate wanted;
        private long next;
        private int polls;
        private boolean closed;

        Numbers(long start, ScanTask task, int batchRows, MemoryPool pool) {
            this.task = task;
            this.start = start;
            this.next = task.fromRow();
            this.batchRows = batchRows;
            this.pool = pool;
            this.wanted = predicate(task.filter());
        }

        @Override
        public RowSchema schema() {
            return task.columns();
        }

        @Override
        public long position() {
            return next;
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
            while (next < task.toRow() && pageIsEmpty()) {
                next = pageEnd();
            }
            if (next == task.toRow()) {
                return Poll.finished();
            }
            long end = task.filter() == null ? task.toRow() : pageEnd();
            return Poll.output(batch((int) Math.min(batchRows, end - next)));
        }

        private long pageEnd() {
            return Math.min(task.toRow(), (next / PAGE + 1) * PAGE);
        }

        private boolean pageIsEmpty() {
            return task.filter() != null
                    && LongStream.range(next, pageEnd()).map(i -> start + i).noneMatch(wanted);
        }

        private RecordBatch batch(int count) {
            long first = start + next;
            next += count;
            rowsRead.addAndGet(count);
            List<ColumnVector> columns = new ArrayList<>();
            for (ColumnSchema column : task.columns().columns()) {
                columns.add(
                        new ColumnVector.Plain(
                                column.name().equals("id")
                                        ? ids(column, first, count)
                                        : lists(column, first, count)));
            }
            return new RecordBatch(task.columns(), columns, count);
        }

        private BigIntVector ids(ColumnSchema column, long first, int count) {
            BigIntVector ids = (BigIntVector) column.toArrow().createVector(pool.allocator());
            ids.allocateNew(count);
            for (int i = 0; i < count; i++) {
                ids.set(i, first + i);
            }
            ids.setValueCount(count);
            return ids;
        }

        private ListVector lists(ColumnSchema column, long first, int count) {
            ListVector lists = (ListVector) column.toArrow().createVector(pool.allocator());
            UnionListWriter writer = lists.getWriter();
            for (int i = 0; i < count; i++) {
                List<Long> items = items(first + i);
                writer.setPosition(i);
                if (items != null) {
                    writer.startList();
                    items.forEach(writer::writeBigInt);
                    writer.endList();
                }
            }
            lists.setValueCount(count);
            return lists;
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

    /** What {@code id % m = r} tests. */
    private static LongPredicate predicate(@Nullable Expression filter) {
        if (filter instanceof Expression.Call equal
                && equal.arguments().get(0) instanceof Expression.Call remainder) {
            long modulus = number(remainder.arguments().get(1));
            long rest = number(equal.arguments().get(1));
            return id -> id % modulus == rest;
        }
        return id -> true;
    }

    private static long number(Expression literal) {
        return literal instanceof Expression.Literal(var _, String value) && value != null
                ? Long.parseLong(value)
                : 0;
    }
}
