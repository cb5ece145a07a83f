package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Batches without columns are put together, and none of their rows is lost on the way. */
class MergedCountsTest {

    private static final RowSchema NO_COLUMNS = new RowSchema(List.of());

    private final Queue<Poll<RecordBatch>> answers = new ArrayDeque<>();
    private Supplier<Poll<RecordBatch>> always = Poll::finished;
    private boolean closed;

    private final MergedCounts merged =
            new MergedCounts(
                    new BatchStream() {
                        @Override
                        public RowSchema schema() {
                            return NO_COLUMNS;
                        }

                        @Override
                        public Poll<RecordBatch> poll() {
                            return answers.isEmpty() ? always.get() : answers.remove();
                        }

                        @Override
                        public void close() {
                            closed = true;
                        }
                    });

    private void batches(int count, int rows) {
        for (int i = 0; i < count; i++) {
            answers.add(Poll.output(new RecordBatch(NO_COLUMNS, List.of(), rows)));
        }
    }

    private static int rows(Poll<RecordBatch> answer) {
        assertThat(answer).isInstanceOf(Poll.Output.class);
        try (RecordBatch batch = ((Poll.Output<RecordBatch>) answer).item()) {
            return batch.rowCount();
        }
    }

    @Test
    void rowsAreToldTogether() {
        batches(3, 5);
        answers.add(Poll.again());
        batches(2, 0);
        batches(1, 7);

        assertThat(rows(merged.poll())).isEqualTo(22);
        assertThat(merged.poll()).isEqualTo(Poll.finished());
        assertThat(merged.poll()).isEqualTo(Poll.finished());
    }

    @Test
    void rowsBeforeAWaitAreToldAfterIt() {
        CompletableFuture<Void> until = new CompletableFuture<>();
        batches(1, 5);
        answers.add(Poll.blocked(until));
        batches(1, 6);

        assertThat(merged.poll()).isEqualTo(Poll.blocked(until));
        merged.release();
        assertThat(rows(merged.poll())).isEqualTo(11);
    }

    @Test
    void noNumberOfRowsOverflows() {
        batches(3, 1 << 30);
        assertThat(rows(merged.poll())).isEqualTo(1 << 30);
    }

    @Test
    void aTurnEndsHoweverLittleComesOfIt() {
        always = Poll::again;
        assertThat(merged.poll()).isInstanceOf(Poll.Blocked.class);

        always = () -> Poll.output(new RecordBatch(NO_COLUMNS, List.of(), 1));
        assertThat(rows(merged.poll())).isPositive();
    }

    @Test
    void closingClosesTheInput() {
        merged.close();

        assertThat(closed).isTrue();
    }
}
