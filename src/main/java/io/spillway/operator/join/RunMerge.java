package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.RowGather;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Merges runs by the numbers of their rows; rows of one number come from the runs in turn. Rows that
 * have no number any more are left out.
 *
 * <p>Some runs may be reserves: a row of theirs comes out only if no other run has one of its
 * number.
 */
final class RunMerge implements AutoCloseable {

    private static final long END = Long.MAX_VALUE;
    private static final long NOTHING = -1;

    private final RowSchema schema;
    private final BatchSize size;
    private final BufferAllocator allocator;
    private final List<Source> sources = new ArrayList<>();
    private final PriorityQueue<Source> heads;

    /** Batches that rows are taken from in this turn. */
    private final List<RecordBatch> used = new ArrayList<>();

    private final int[] sourceOf;
    private final int[] rowOf;

    private boolean started;

    /** The number of the last row that came out of a run that is no reserve. */
    private long last;

    /** One run and where it stands. */
    private final class Source implements AutoCloseable, Comparable<Source> {

        private final Run run;
        private final boolean reserve;
        private final int place;
        private final UnaryOperator<RecordBatch> form;
        private final BatchStream stream;
        private @Nullable RecordBatch batch;
        private long numbers;

        /** Of the batch in the file. */
        private long firstRow;

        private int row;
        private long number = NOTHING;

        /** Of the batch, about; once it is used. */
        private long rowBytes;

        /** The batch's place among those used in this turn, or -1. */
        private int used = -1;

        Source(Run run, boolean reserve, int place, UnaryOperator<RecordBatch> form) {
            this.run = run;
            this.reserve = reserve;
            this.place = place;
            this.form = form;
            this.firstRow = run.from();
            this.stream = run.file().read(run.from(), allocator);
        }

        /** Goes on to the next row; false at the end. */
        boolean next() {
            row++;
            while (true) {
                RecordBatch now = batch;
                if (now != null) {
                    for (; row < now.rowCount(); row++) {
                        number = OffHeap.getLong(numbers + (long) Long.BYTES * row);
                        if (number != RowTags.MATCHED) {
                            return true;
                        }
                    }
                    firstRow += now.rowCount();
                    leave(now);
                }
                row = 0;
                RecordBatch read = SpillReads.next(stream);
                batch = read == null ? null : form.apply(read);
                if (batch == null) {
                    number = END;
                    close();
                    return false;
                }
                numbers = RowTags.address(batch);
            }
        }

        private void leave(RecordBatch now) {
            batch = null;
            if (used < 0) {
                now.close();
            }
            used = -1;
        }

        /** What of the run has not come out. */
        Run rest() {
            return new Run(run.file(), firstRow + row);
        }

        @Override
        public int compareTo(Source other) {
            int order = Long.compare(number, other.number);
            return order != 0 ? order : Integer.compare(place, other.place);
        }

        @Override
        public void close() {
            RecordBatch now = batch;
            batch = null;
            if (now != null && used < 0) {
                now.close();
            }
            stream.close();
        }
    }

    /**
     * A merge of what is left of runs, whose files stay the caller's.
     *
     * @param schema of what comes out: numbers, then columns
     * @param form makes batches of that schema of those of the reserves, which it takes over
     * @param last of a merge that this one goes on with, else -1
     */
    RunMerge(
            RowSchema schema,
            List<Run> runs,
            List<Run> reserves,
            UnaryOperator<RecordBatch> form,
            long last,
            BatchSize size,
            BufferAllocator allocator) {
        this.schema = schema;
        this.size = size;
        this.allocator = allocator;
        this.last = last;
        this.sourceOf = new int[size.rows()];
        this.rowOf = new int[size.rows()];
        for (Run run : runs) {
            sources.add(new Source(run, false, sources.size(), UnaryOperator.identity()));
        }
        for (Run run : reserves) {
            sources.add(new Source(run, true, sources.size(), form));
        }
        this.heads = new PriorityQueue<>(Math.max(1, sources.size()));
    }

    /** Reads the first rows. */
    private void start() {
        for (Source source : sources) {
            source.row = -1;
            if (source.next()) {
                heads.add(source);
            }
        }
    }

    /** The next rows, owned by the caller; null at the end. */
    @Nullable RecordBatch next() {
        if (!started) {
            started = true;
            start();
        }
        int count = 0;
        long bytes = 0;
        try {
            while (count < sourceOf.length && bytes < size.bytes()) {
                Source head = heads.poll();
                if (head == null) {
                    break;
                }
                if (!head.reserve || head.number != last) {
                    bytes += take(head, count++);
                }
                last = head.reserve ? last : head.number;
                if (head.next()) {
                    heads.add(head);
                }
            }
            return count == 0
                    ? null
                    : new RowGather(schema, used).gather(sourceOf, rowOf, count, allocator);
        } finally {
            forgetUsed();
        }
    }

    /** Bytes of the row, about. */
    private long take(Source head, int at) {
        RecordBatch batch = head.batch;
        if (batch == null) {
            throw new IllegalStateException("a run has come to its end");
        }
        if (head.used < 0) {
            head.used = used.size();
            used.add(batch);
            head.rowBytes = batch.bytes() / batch.rowCount() + 1;
        }
        sourceOf[at] = head.used;
        rowOf[at] = head.row;
        return head.rowBytes;
    }

    /** Closes the batches whose rows have all come out. */
    private void forgetUsed() {
        for (Source source : sources) {
            if (source.used >= 0) {
                RecordBatch batch = source.batch;
                source.used = -1;
                if (batch != null) {
                    used.remove(batch);
                }
            }
        }
        used.forEach(RecordBatch::close);
        used.clear();
    }

    /** What has not come out of the runs, or of the reserves. */
    List<Run> rest(boolean reserves) {
        return sources.stream()
                .filter(source -> source.reserve == reserves)
                .map(Source::rest)
                .toList();
    }

    /** As the next merge of the rest wants to know it. */
    long last() {
        return last;
    }

    @Override
    public void close() {
        forgetUsed();
        sources.forEach(Source::close);
    }
}
