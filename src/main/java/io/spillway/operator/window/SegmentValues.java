package io.spillway.operator.window;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.SortKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Computes a segment's output, batch by batch. Owns the segment. */
final class SegmentValues implements AutoCloseable {

    private final WindowShape shape;
    private final Segment segment;
    private final MemoryHolding holding;
    private final BufferAllocator allocator;
    private final Reader reader;
    private final Rows.Ends partitions;
    private final Rows.Ends peers;

    /** One of each frame that calls use. */
    private final Map<WindowFrame, Frames> frames = new LinkedHashMap<>();

    private final List<Computation> computations = new ArrayList<>();
    private long next;

    /** Takes the segment over, which has been filled. */
    SegmentValues(
            WindowShape shape, Segment segment, MemoryHolding holding, BufferAllocator allocator) {
        this.shape = shape;
        this.segment = segment;
        this.holding = holding;
        this.allocator = allocator;
        this.reader = new Reader(segment);
        this.partitions = new Rows.Ends(segment, shape.partitionColumn());
        this.peers = new Rows.Ends(segment, shape.peersColumn());
        for (int i = 0; i < shape.calls().size(); i++) {
            WindowCall call = shape.calls().get(i);
            if (call.function().usesFrame()) {
                frames.computeIfAbsent(call.frame(), frame -> new Frames(frame, shape, segment));
            }
            computations.add(computation(call, shape.column(i)));
        }
    }

    private Computation computation(WindowCall call, ColumnSchema schema) {
        return switch (call.function()) {
            case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST ->
                    new Ranking(call.function(), 0, schema, allocator);
            case NTILE -> new Ranking(call.function(), parameter(call), schema, allocator);
            case LAG, LEAD ->
                    new PickedRow(
                            call.function(),
                            parameter(call),
                            call.arguments().size() > 1 ? call.arguments().get(1) : -1,
                            values(call, schema));
            case FIRST_VALUE, LAST_VALUE ->
                    new PickedRow(call.function(), 1, -1, values(call, schema));
            case NTH_VALUE ->
                    new PickedRow(call.function(), parameter(call), -1, values(call, schema));
            case SUM, AVG -> {
                ColumnSchema argument = shape.input().column(call.arguments().getFirst());
                yield new Sliding(
                        Totals.numbers(call, argument.type(), argument.name()),
                        segment,
                        schema,
                        allocator);
            }
            case COUNT -> new Sliding(Totals.count(call.arguments()), segment, schema, allocator);
            case COUNT_ROWS -> new FrameSize(schema, allocator);
            case MIN, MAX -> extreme(call, schema);
        };
    }

    private Computation extreme(WindowCall call, ColumnSchema schema) {
        int column = call.arguments().getFirst();
        boolean greatest = call.function() == WindowFunction.MAX;
        return new Extreme(
                segment,
                column,
                call.frame().start().kind() == WindowFrame.Bound.Kind.UNBOUNDED_PRECEDING,
                KeyEncoder.ordered(
                        List.of(new SortKey(column, greatest, false)), shape.marked(), allocator),
                values(call, schema),
                new KeyQueue(allocator, holding));
    }

    private RowValues values(WindowCall call, ColumnSchema schema) {
        return new RowValues(segment, call.arguments().getFirst(), schema, allocator);
    }

    /** The first parameter, an int64; 1 if there is none. */
    private static long parameter(WindowCall call) {
        return call.parameters().isEmpty()
                ? 1
                : Long.parseLong(Objects.requireNonNull(call.parameters().getFirst().value()));
    }

    /** The next rows with their values, owned by the caller; null at the end. */
    @Nullable RecordBatch next() {
        if (next >= segment.rows()) {
            return null;
        }
        reader.moveTo(next);
        RecordBatch batch = reader.batch();
        Rows rows = new Rows(batch, next);
        partitions.fill(rows, rows.partition, rows.partitionEnd);
        peers.fill(rows, rows.peers, rows.peersEnd);
        next += batch.rowCount();
        Map<WindowFrame, long[][]> bounds = new LinkedHashMap<>();
        frames.forEach(
                (frame, finder) -> {
                    long[][] found = new long[2][rows.count()];
                    finder.fill(rows, found[0], found[1]);
                    bounds.put(frame, found);
                });
        List<ColumnVector> columns = new ArrayList<>();
        try {
            for (int c = 0; c < shape.input().size(); c++) {
                columns.add(batch.column(c).slice(0, batch.rowCount()));
            }
            long[][] none = new long[2][0];
            for (int i = 0; i < computations.size(); i++) {
                long[][] found = bounds.getOrDefault(shape.calls().get(i).frame(), none);
                columns.add(computations.get(i).compute(rows, found[0], found[1]));
            }
            return new RecordBatch(shape.output(), columns, batch.rowCount());
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    @Override
    public void close() {
        computations.forEach(Computation::close);
        frames.values().forEach(Frames::close);
        partitions.close();
        peers.close();
        reader.close();
        segment.close();
    }
}
