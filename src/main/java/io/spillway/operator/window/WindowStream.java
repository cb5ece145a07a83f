package io.spillway.operator.window;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.execution.Failures;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.WorkContext;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are sorted by partition and order, with the values of calls: gathers whole partitions
 * in a segment, then gives the segment's rows, and so on.
 */
final class WindowStream implements BatchStream {

    /** Rows after which a segment ends with the next partition. */
    private static final long SEGMENT_ROWS = 1 << 14;

    private final BatchStream input;
    private final WindowShape shape;
    private final WindowMemory memory;
    private final WorkContext context;
    private final MemoryHolding holding;
    private final Marker marker;
    private @Nullable CompletableFuture<MemoryReservation> admission;
    private Segment filling;
    private @Nullable SegmentValues giving;
    private boolean exhausted;
    private boolean closed;

    /**
     * Takes the input over.
     *
     * @param segmentBytes of partitions that are kept in memory at a time
     */
    WindowStream(BatchStream input, WindowShape shape, long segmentBytes, WorkContext context) {
        MemoryPool pool = context.pool();
        this.input = input;
        this.shape = shape;
        this.memory = WindowMemory.of(shape, segmentBytes, context);
        this.context = context;
        this.holding = pool.hold("window");
        this.marker = new Marker(shape, pool.allocator());
        this.filling = segment();
    }

    private Segment segment() {
        MemoryPool pool = context.pool();
        return new Segment(shape.marked(), holding, memory, context.spill(), pool.allocator());
    }

    @Override
    public RowSchema schema() {
        return shape.output();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (closed) {
            return Poll.finished();
        }
        CompletableFuture<MemoryReservation> floor = admission;
        if (floor == null) {
            floor = context.pool().admitStanding(memory.floor());
            admission = floor;
        }
        if (!floor.isDone()) {
            return Poll.blocked(floor);
        }
        if (floor.isCompletedExceptionally()) {
            throw Failures.asSpillway(floor.exceptionNow());
        }
        SegmentValues now = giving;
        if (now != null) {
            RecordBatch batch = now.next();
            if (batch != null) {
                return Poll.output(batch);
            }
            giving = null;
            now.close();
        }
        if (exhausted) {
            close();
            return Poll.finished();
        }
        boolean wanted = holding.revoked().isDone();
        if (wanted) {
            filling.spill();
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                try (batch) {
                    add(batch);
                }
                yield Poll.again();
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) ->
                    Poll.blocked(
                            wanted ? until : CompletableFuture.anyOf(until, holding.revoked()));
            case Poll.Finished<RecordBatch> _ -> {
                exhausted = true;
                input.close();
                give();
                yield Poll.again();
            }
        };
    }

    /** Adds rows; where enough are together, those of a new partition begin another segment. */
    private void add(RecordBatch batch) {
        int rows = batch.rowCount();
        BitSet partitions = marker.partitionsOf(batch);
        BitSet peers = marker.peersOf(batch);
        int cut = partitions.previousSetBit(rows - 1);
        if (cut < 0 || filling.rows() + cut < SEGMENT_ROWS) {
            cut = 0;
        }
        if (cut > 0) {
            filling.add(marker.mark(batch, 0, cut, partitions, peers));
        }
        if (cut > 0 || (filling.rows() >= SEGMENT_ROWS && partitions.get(0))) {
            give();
        }
        if (cut < rows) {
            filling.add(marker.mark(batch, cut, rows, partitions, peers));
        }
    }

    private void give() {
        filling.finish();
        giving = new SegmentValues(shape, filling, holding, context.pool().allocator());
        filling = segment();
        marker.startSegment();
    }

    @Override
    public void release() {
        if (holding.revoked().isDone()) {
            filling.spill();
        }
        input.release();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        exhausted = true;
        input.close();
        marker.close();
        filling.close();
        SegmentValues now = giving;
        giving = null;
        if (now != null) {
            now.close();
        }
        holding.close();
        CompletableFuture<MemoryReservation> floor = admission;
        if (floor != null && !floor.cancel(false)) {
            var _ = floor.thenAccept(MemoryReservation::close);
        }
    }
}
