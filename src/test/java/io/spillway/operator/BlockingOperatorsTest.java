package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import io.spillway.operator.sort.SortRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What all blocking steps have in common: the same values to the bit in ample memory, where they
 * must spill, and beside somebody who takes nearly all; on any number of threads. And at their end
 * they ask for nothing any more.
 */
@Timeout(120)
class BlockingOperatorsTest {

    private static final int ROWS = 25_000;
    private static final int OUTPUT_ROWS = 1_000;
    private static final long AMPLE = 512 << 20;

    @TempDir private Path folder;

    static List<BlockingCase> all() {
        return BlockingCase.all();
    }

    static Stream<BlockingCase> withNothingToDo() {
        return Stream.concat(Stream.of(BlockingCase.limitedToNothing()), all().stream());
    }

    /** Takes all memory for work but some, and gives way by little. */
    private static final class Hog implements AutoCloseable {

        private static final long PIECE = 64 << 10;

        private final MemoryHolding holding;
        private final long most;

        Hog(MemoryPool pool, long left) {
            holding = pool.hold("hog");
            most = Math.max(0, pool.limit() / 2 - left);
            assertThat(holding.tryGrow(most)).isTrue();
        }

        void live() {
            if (holding.revoked().isDone()) {
                holding.shrink(Math.min(holding.bytes(), PIECE));
            } else if (holding.bytes() < most) {
                holding.tryGrow(Math.min(most - holding.bytes(), PIECE / 4));
            }
        }

        void await(CompletableFuture<?> until) {
            while (!until.isDone()) {
                CompletableFuture.anyOf(until.handle((_, _) -> true), holding.revoked())
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join();
                live();
            }
        }

        @Override
        public void close() {
            holding.close();
        }
    }

    /** What a run gave, and what it wrote to disk for that. */
    private record Run(List<List<@Nullable Object>> rows, long spilled) {}

    /**
     * @param left of the memory for work
     */
    private Run run(BlockingCase step, int threads, long memory, long left) throws IOException {
        return run(step, ROWS, 0, threads, memory, left);
    }

    private Run run(
            BlockingCase step, int inputRows, int textBytes, int threads, long memory, long left)
            throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (SortRig rig =
                        new SortRig(
                                Files.createTempDirectory(folder, "rig"),
                                memory,
                                threads,
                                OUTPUT_ROWS);
                RootAllocator inputs = new RootAllocator();
                Hog hog = new Hog(rig.pool(), left)) {
            try (BatchStream stream =
                    step.operator()
                            .over(step.inputs(inputRows, textBytes, inputs), rig.context())) {
                while (true) {
                    hog.live();
                    switch (stream.poll()) {
                        case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                            try (batch) {
                                rows.addAll(Streams.rows(batch));
                            }
                        }
                        case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) ->
                                hog.await(until);
                        case Poll.Finished<RecordBatch> _ -> {
                            return new Run(rows, rig.manager().written());
                        }
                    }
                }
            } finally {
                rig.settle();
            }
        }
    }

    private static void same(Run actual, Run expected, String where) {
        if (!actual.rows().equals(expected.rows())) {
            assertThat(actual.rows()).as(where).isEqualTo(expected.rows());
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void theSameRowsWhateverTheMemoryAndTheThreads(BlockingCase step) throws IOException {
        Run first = run(step, 1, AMPLE, AMPLE / 2);
        assertThat(first.rows()).isNotEmpty();
        for (int threads : new int[] {1, 2, 8}) {
            Run ample = run(step, threads, AMPLE, AMPLE / 2);
            same(ample, first, threads + " threads");
            assertThat(ample.spilled()).as("spilled without need").isZero();
            Run little = run(step, threads, step.little(), step.little() / 2);
            same(little, first, threads + " threads in little memory");
            assertThat(little.spilled()).as("spilled in little memory").isPositive();
            Run beside = run(step, threads, AMPLE, step.little() / 4);
            same(beside, first, threads + " threads beside a hog");
            assertThat(beside.spilled()).as("spilled beside a hog").isPositive();
        }
    }

    /** What is read back from disk, and what comes out, is cut by bytes, not only by rows. */
    @ParameterizedTest
    @MethodSource("all")
    void rowsOfManyBytesFitInLittleMemory(BlockingCase step) throws IOException {
        long memory = 4 << 20;
        for (int textBytes : new int[] {2_000, 20_000}) {
            int rows = 6_000_000 / textBytes;
            Run ample = run(step, rows, textBytes, 1, AMPLE, AMPLE / 2);
            Run little = run(step, rows, textBytes, 2, memory, memory / 2);
            same(little, ample, "texts of %,d bytes".formatted(textBytes));
        }
    }

    @ParameterizedTest
    @MethodSource("withNothingToDo")
    void nothingIsAskedForAfterTheEnd(BlockingCase step) throws IOException {
        for (int rows : new int[] {0, 100}) {
            try (SortRig rig = new SortRig(folder, AMPLE, 2, OUTPUT_ROWS);
                    RootAllocator inputs = new RootAllocator()) {
                BatchStream stream =
                        step.operator().over(step.inputs(rows, 0, inputs), rig.context());
                try {
                    while (!(take(stream) instanceof Poll.Finished)) {
                        Thread.onSpinWait();
                    }
                    assertFree(rig);
                    assertFinished(stream, rig);
                } finally {
                    stream.close();
                }
                assertFinished(stream, rig);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("withNothingToDo")
    void nothingIsAskedForAfterItWasClosed(BlockingCase step) throws IOException {
        for (int polls : new int[] {0, 1, 2, 5, 20}) {
            try (SortRig rig = new SortRig(folder, AMPLE, 2, OUTPUT_ROWS);
                    RootAllocator inputs = new RootAllocator()) {
                BatchStream stream =
                        step.operator().over(step.inputs(2_000, 0, inputs), rig.context());
                for (int i = 0; i < polls; i++) {
                    take(stream);
                }
                stream.close();
                assertFinished(stream, rig);
                stream.close();
            }
        }
    }

    /** Polls on, as somebody does who has not noticed yet. */
    private static void assertFinished(BatchStream stream, SortRig rig) {
        for (int i = 0; i < 3; i++) {
            assertThat(stream.poll()).isInstanceOf(Poll.Finished.class);
            stream.release();
        }
        assertFree(rig);
    }

    /** Tasks that were cancelled give back what they have in their own time. */
    private static void assertFree(SortRig rig) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(
                        () -> {
                            assertThat(rig.pool().admitted()).as("admitted").isZero();
                            assertThat(rig.pool().held()).as("held").isZero();
                        });
    }

    private static Poll<RecordBatch> take(BatchStream stream) {
        Poll<RecordBatch> answer = stream.poll();
        if (answer instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
            batch.close();
        }
        return answer;
    }
}
