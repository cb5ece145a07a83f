package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One stream for several readers, each of which sees some of its columns. All read at the pace of
 * the slowest: a batch waits for one that has not read it, and no reader gets further ahead.
 */
final class SharedInput implements BranchInput {

    private final BatchStream input;
    private final List<Reader> readers = new ArrayList<>();

    /**
     * @param input taken over
     */
    SharedInput(BatchStream input) {
        this.input = input;
    }

    @Override
    public BatchStream reader(CallInput columns) {
        Reader reader = new Reader(columns);
        readers.add(reader);
        return reader;
    }

    /** Closes the input and drops what waits, whatever readers are open. */
    @Override
    public void close() {
        readers.forEach(Reader::close);
        input.close();
    }

    private final class Reader implements BatchStream {

        private final CallInput columns;
        private final Deque<RecordBatch> waiting = new ArrayDeque<>();
        private boolean closed;

        Reader(CallInput columns) {
            this.columns = columns;
        }

        @Override
        public RowSchema schema() {
            return columns.schema();
        }

        @Override
        public Poll<RecordBatch> poll() {
            RecordBatch next = waiting.poll();
            if (next != null) {
                return Poll.output(next);
            }
            if (readers.stream().anyMatch(reader -> !reader.waiting.isEmpty())) {
                return Poll.blocked(new CompletableFuture<>());
            }
            Poll<RecordBatch> in = input.poll();
            if (!(in instanceof Poll.Output<RecordBatch>(RecordBatch batch))) {
                return in;
            }
            try (batch) {
                for (Reader reader : readers) {
                    if (reader != this && !reader.closed) {
                        reader.waiting.add(reader.columns.narrowed(batch));
                    }
                }
                return Poll.output(columns.narrowed(batch));
            }
        }

        @Override
        public void release() {
            input.release();
        }

        @Override
        public void close() {
            closed = true;
            for (@Nullable RecordBatch batch = waiting.poll();
                    batch != null;
                    batch = waiting.poll()) {
                batch.close();
            }
        }
    }
}
