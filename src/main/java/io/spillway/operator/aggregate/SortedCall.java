package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.WorkContext;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.sort.SortOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A call that needs all of a group's values in order: a percentile, or a list of them. Its rows
 * come {@linkplain SortedInput sorted} by group, those that count first; what it gives is sorted by
 * the groups' first rows.
 *
 * <pre>
 *   rows ─▶ {@link SortedInput} ─▶ sort ─▶ SortedCall ─▶ sort by number ─▶ result column
 *                                  group by group
 * </pre>
 */
final class SortedCall implements BatchStream {

    private final BatchStream input;
    private final boolean keyed;
    private final RowSchema schema;
    private final ValueResult call;
    private final WorkContext context;
    private final ValueWindow values;
    private @Nullable SortedRows last;

    /** The group that is open. */
    private long start;

    private long counted;
    private long first = Long.MAX_VALUE;

    /** Groups that are complete and have no result yet: how many values, and their first rows. */
    private final List<Long> counts = new ArrayList<>();

    private long[] firstRows = new long[16];
    private Places places = new Places();
    private boolean ended;

    private SortedCall(
            BatchStream input,
            boolean keyed,
            RowSchema schema,
            ValueResult call,
            WorkContext context) {
        this.input = input;
        this.keyed = keyed;
        this.schema = schema;
        this.call = call;
        this.context = context;
        this.values =
                new ValueWindow(input.schema().column(keyed ? 2 : 1), call.isSparse(), context);
    }

    /**
     * The results of a call, one a group.
     *
     * @param schema of the rows, which keys and call are over
     * @param result the column that comes out
     * @param rows taken over
     * @param steps what puts a stream between two sorts
     */
    static BatchStream over(
            RowSchema schema,
            List<Integer> keys,
            AggregateCall call,
            ColumnSchema result,
            BatchStream rows,
            UnaryOperator<BatchStream> steps,
            WorkContext context) {
        RowSchema results = new RowSchema(List.of(result));
        RowSchema numbered = NumberedRows.schema(results);
        boolean keyed = !keys.isEmpty();
        BatchStream sorted = SortedInput.sorted(schema, keys, call, rows, context);
        BatchStream calls =
                new SortedCall(
                        sorted,
                        keyed,
                        numbered,
                        result(call, schema, result, context.pool().allocator()),
                        context);
        BatchStream inOrder =
                keyed
                        ? new SortOperator(
                                        List.of(new SortKey(1, false, false)),
                                        Long.MAX_VALUE,
                                        numbered)
                                .over(List.of(steps.apply(calls)), context)
                        : calls;
        return new StrippedStream(inOrder, results);
    }

    private static ValueResult result(
            AggregateCall call, RowSchema input, ColumnSchema result, BufferAllocator allocator) {
        return switch (call.function()) {
            case PERCENTILE_DISC -> new Percentile.Discrete(fraction(call));
            case PERCENTILE_CONT ->
                    new Percentile.Continuous(
                            fraction(call),
                            Kernels.argument(call, input).type(),
                            result,
                            allocator);
            default -> new ValueList(result, allocator);
        };
    }

    private static double fraction(AggregateCall call) {
        return Double.parseDouble(Objects.requireNonNull(call.parameters().getFirst().value()));
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (ended) {
            return Poll.finished();
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                add(batch);
                RecordBatch out = counts.isEmpty() ? null : results();
                try {
                    values.settle();
                } catch (Throwable t) {
                    if (out != null) {
                        out.close();
                    }
                    throw t;
                }
                yield out == null ? Poll.again() : Poll.output(out);
            }
            case Poll.Blocked<RecordBatch> blocked -> blocked;
            case Poll.Finished<RecordBatch> _ -> {
                ended = true;
                input.close();
                if (values.end() > 0 || !keyed) {
                    endGroup(values.end());
                }
                yield counts.isEmpty() ? Poll.finished() : Poll.output(results());
            }
        };
    }

    /** Takes over the batch. */
    private void add(RecordBatch batch) {
        if (batch.rowCount() == 0) {
            batch.close();
            return;
        }
        SortedRows before = last;
        SortedRows now = new SortedRows(batch, keyed);
        last = now;
        int rows = batch.rowCount();
        long place = values.end();
        for (int row = 0; row < rows; row++, place++) {
            boolean same =
                    row > 0
                            ? now.sameKey(row, now, row - 1)
                            : before == null || now.sameKey(0, before, before.rows() - 1);
            if (!same) {
                endGroup(place);
            }
            counted += now.isCounted(row) ? 1 : 0;
            first = Math.min(first, now.number(row));
        }
        values.add(batch.column(keyed ? 2 : 1));
        if (before != null) {
            before.close();
        }
    }

    private void endGroup(long end) {
        if (counts.size() == firstRows.length) {
            firstRows = Arrays.copyOf(firstRows, 2 * firstRows.length);
        }
        firstRows[counts.size()] = first;
        counts.add(counted);
        call.look(start, counted, places);
        start = end;
        counted = 0;
        first = Long.MAX_VALUE;
    }

    private RecordBatch results() {
        List<ColumnVector> columns = new ArrayList<>();
        try (RecordBatch taken = values.take(places.places(), places.count())) {
            columns.add(call.results(taken, counts));
            columns.add(NumberedRows.column(firstRows, counts.size(), context.pool().allocator()));
            RecordBatch out = new RecordBatch(schema, columns, counts.size());
            counts.clear();
            places = new Places();
            values.dropBefore(start);
            return out;
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        ended = true;
        input.close();
        values.close();
        if (last != null) {
            last.close();
            last = null;
        }
    }
}
