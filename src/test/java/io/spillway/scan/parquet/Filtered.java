package io.spillway.scan.parquet;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Call;
import io.spillway.expression.Expression.Column;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Function;
import io.spillway.expression.Gather;
import io.spillway.expression.VectorPredicate;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a file that match a filter, with the filter told to the scan or not. */
public final class Filtered {

    /** What a scan told of itself. */
    static final class Told implements ScanMetrics {

        final ConcurrentLinkedQueue<Pruned> pruned = new ConcurrentLinkedQueue<>();
        final LongAdder bytes = new LongAdder();

        long sum(Pruned.By by) {
            return pruned.stream().filter(p -> p.by() == by).mapToLong(Pruned::partitions).sum();
        }

        @Override
        public void fileOpened() {}

        @Override
        public void bytesRead(long n) {
            bytes.add(n);
        }

        @Override
        public void pageDecoded(long uncompressedBytes) {}

        @Override
        public void pageSkipped() {}

        @Override
        public void pruned(Pruned what) {
            pruned.add(what);
        }
    }

    private final Scans scans;
    private final Told told = new Told();

    public Filtered(Scans scans) {
        this.scans = scans;
    }

    Told told() {
        return told;
    }

    /** Matching rows of all row groups; the filter is told to the scan. */
    public List<List<@Nullable String>> rows(Path file, Expression filter) {
        return rows(file, filter, schema(file), true);
    }

    RowSchema schema(Path file) {
        return scans.format.metadata(scans.status(file)).schema();
    }

    public List<List<@Nullable String>> rows(
            Path file, Expression filter, RowSchema columns, boolean tell) {
        FileStatus status = scans.status(file);
        FileMetadata metadata = scans.format.metadata(status);
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (int p = 0; p < metadata.partitionRows().size(); p++) {
            ScanTask all = new ScanTask(status, p, 0, metadata.partitionRows().get(p), columns);
            rows.addAll(matching(tell ? all.where(filter) : all, filter, 7));
        }
        return rows;
    }

    /** Rows of a task for which the filter is true. */
    public List<List<@Nullable String>> matching(ScanTask task, Expression filter, int batchRows) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (BatchStream stream = scans.format.open(task, batchRows, scans.pool, told);
                VectorPredicate predicate = ExpressionCompiler.predicate(filter, task.columns())) {
            RecordBatch next = Scans.next(stream);
            while (next != null) {
                try (RecordBatch batch = next;
                        RecordBatch matching =
                                Gather.gather(
                                        batch,
                                        predicate.select(batch, scans.pool.allocator()),
                                        scans.pool.allocator())) {
                    Values.append(matching, rows);
                }
                next = Scans.next(stream);
            }
        }
        return rows;
    }

    // Conditions, as the planner makes them.

    Expression column(Path file, String name) {
        RowSchema schema = schema(file);
        int index = schema.indexOf(name);
        return new Column(index, schema.column(index).type());
    }

    /** Compares a column with a value of its type. */
    public Expression compare(Path file, String name, Function function, String value) {
        Expression column = column(file, name);
        return call(function, column, new Literal(column.type(), value));
    }

    Expression in(Path file, String name, String... values) {
        Expression column = column(file, name);
        return new Expression.In(
                column, List.of(values).stream().map(v -> new Literal(column.type(), v)).toList());
    }

    static Expression call(Function function, Expression... arguments) {
        return new Call(function, List.of(arguments), new ColumnType.Bool());
    }
}
