package io.spillway.operator.join;

import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.RowGather;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Merges runs by the numbers of their rows; rows of one number come from the runs in turn. Rows
 * that have no number any more are left out.
 *
 * <p>Numbers are dense, and each run has a batch in memory: the rows whose number is below what any
 * run may still bring are sorted by counting, a window at a time.
 *
 * <pre>
 *   run 0    3 3 7 9 12 | …            below 9:  3 3 7 from run 0, 4 5 8 from run 1
 *   run 1    4 5 8 9 | …               counted:  3 3 4 5 7 8
 * </pre>
 */
final class RunMerge implements AutoCloseable {

    /** Numbers of a window at most. */
    private static final int WINDOW = 1 << 16;

    /** Batches that sources may leave behind before what is collected comes out. */
    private static final int MOST_LEFT = 2;

    private final RowSchema schema;
    private final BatchSize size;
    private final BufferAllocator allocator;
    private final List<RunSource> sources = new ArrayList<>();

    /** A batch that rows are collected from. */
    private record Place(RunSource source, RecordBatch batch, long firstRow) {}

    private final List<Place> places = new ArrayList<>();

    /** Those of these batches that their sources have left. */
    private final List<RecordBatch> left = new ArrayList<>();

    /** Where the rows of each number of the window begin. */
    private final int[] starts = new int[WINDOW + 1];

    /** The rows collected, in order: the places of their batches, and their rows there. */
    private int[] sourceOf = new int[0];

    private int[] rowOf = new int[0];
    private int sorted;

    /** How many of them have come out. */
    private int done;

    /** Sources that have a batch. */
    private final List<RunSource> loaded = new ArrayList<>();

    private @Nullable RowGather gather;

    /** Rows of the next batches at most. */
    private int most;

    /**
     * A merge of what is left of runs, whose files stay the caller's.
     *
     * @param schema of what comes out: numbers, then columns
     */
    RunMerge(
            RowSchema schema,
            List<Run> runs,
            BatchSize size,
            BufferAllocator allocator) {
        this.schema = schema;
        this.size = size;
        this.allocator = allocator;
        for (Run run : runs) {
            sources.add(new RunSource(run, allocator));
        }
    }

    /** The next rows, owned by the caller; null at the end. */
    @Nullable RecordBatch next() {
        if (done == sorted && !collect()) {
            return null;
        }
        int count = Math.min(most, sorted - done);
        int from = done;
        done += count;
        return Objects.requireNonNull(gather)
                .gather(
                        Arrays.copyOfRange(sourceOf, from, from + count),
                        Arrays.copyOfRange(rowOf, from, from + count),
                        count,
                        allocator);
    }

    /** Sorts rows until there are enough for a batch, about; false at the end. */
    private boolean collect() {
        boolean more = true;
        sorted = 0;
        done = 0;
        while (more && sorted == 0) {
            closeLeft();
            places.clear();
            sources.forEach(RunSource::begin);
            while (more && sorted < size.rows() && left.size() < MOST_LEFT) {
                more = nextWindow();
            }
        }
        if (sorted == 0) {
            return false;
        }
        gather = new RowGather(schema, places.stream().map(Place::batch).toList());
        long bytes = 0;
        long rows = 0;
        for (Place place : places) {
            bytes += place.batch.bytes();
            rows += place.batch.rowCount();
        }
        most = Math.clamp(size.bytes() * rows / (bytes + 1), 1, size.rows());
        return true;
    }

    /** Sorts the rows of the next numbers; false at the end. */
    private boolean nextWindow() {
        loaded.clear();
        long first = Long.MAX_VALUE;
        long end = Long.MAX_VALUE;
        for (RunSource source : sources) {
            if (source.load(left)) {
                loaded.add(source);
                first = Math.min(first, source.number());
                end = Math.min(end, source.completeBelow());
                if (source.place() < 0) {
                    source.setPlace(places.size());
                    places.add(new Place(source, source.batch(), source.firstRow()));
                }
            }
        }
        if (loaded.isEmpty()) {
            return false;
        }
        if (first == end) {
            oneNumber(first);
        } else {
            sort(first, Math.min(end, first + WINDOW));
        }
        return true;
    }

    private void closeLeft() {
        left.forEach(RecordBatch::close);
        left.clear();
    }

    private void ensure(int more) {
        if (sourceOf.length < sorted + more) {
            sourceOf = Arrays.copyOf(sourceOf, 2 * (sorted + more));
            rowOf = Arrays.copyOf(rowOf, 2 * (sorted + more));
        }
    }

    /** Rows of a number that goes on beyond what is loaded: of the first run that has any. */
    private void oneNumber(long number) {
        for (RunSource source : loaded) {
            if (source.number() == number) {
                int rows = source.take(number + 1);
                ensure(rows);
                for (int i = 0; i < rows; i++) {
                    if (source.takenNumber(i) == number) {
                        sourceOf[sorted] = source.place();
                        rowOf[sorted++] = source.takenFrom() + i;
                    }
                }
                return;
            }
        }
    }

    private void sort(long first, long end) {
        int numbers = (int) (end - first);
        Arrays.fill(starts, 0, numbers + 1, 0);
        for (RunSource source : loaded) {
            int rows = source.take(end);
            for (int i = 0; i < rows; i++) {
                long number = source.takenNumber(i);
                if (number >= 0) {
                    starts[(int) (number - first) + 1]++;
                }
            }
        }
        for (int i = 1; i <= numbers; i++) {
            starts[i] += starts[i - 1];
        }
        ensure(starts[numbers]);
        int rows = starts[numbers];
        place(first);
        sorted += rows;
    }

    private void place(long first) {
        for (RunSource source : loaded) {
            int from = source.takenFrom();
            for (int i = 0; i < source.taken(); i++) {
                long number = source.takenNumber(i);
                if (number >= 0) {
                    int to = sorted + starts[(int) (number - first)]++;
                    sourceOf[to] = source.place();
                    rowOf[to] = from + i;
                }
            }
        }
    }

    /** What has not come out of the runs. */
    List<Run> rest() {
        Map<RunSource, Run> rest = new LinkedHashMap<>();
        for (RunSource source : sources) {
            rest.put(source, source.rest());
        }
        for (int i = 0; i < done; i++) {
            Place from = places.get(sourceOf[i]);
            long next = from.firstRow + rowOf[i] + 1;
            rest.computeIfPresent(from.source, (source, run) -> new Run(run.file(), next));
        }
        return List.copyOf(rest.values());
    }

    @Override
    public void close() {
        closeLeft();
        sources.forEach(RunSource::close);
    }
}
