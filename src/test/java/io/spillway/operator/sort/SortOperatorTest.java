package io.spillway.operator.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnType;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.TestValues;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.Streams;
import io.spillway.operator.key.SortKey;
import io.spillway.spill.FaultyDisk;
import io.spillway.spill.SpillManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Sorts of random tables against a naive one, in every memory and on any number of threads. */
class SortOperatorTest {

    private static final long MEMORY = 64 << 20;
    private static final int BATCH_ROWS = 64;

    /** What a hog leaves. */
    private static final long LEFT = 60_000;

    private static Path folder = Path.of("");

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("sort");
    }

    @AfterContainer
    static void folderIsEmpty() throws IOException {
        Files.deleteIfExists(folder.resolve(".lock"));
        Files.delete(folder);
    }

    /** How a sort is done; what comes out must not depend on it. */
    private enum Way {
        /** All in one piece. */
        IN_MEMORY,
        /** Many small chunks, all in memory. */
        IN_CHUNKS,
        /** No memory but what must be: each batch becomes a run, and these are merged in passes. */
        BESIDE_A_HOG,
        /** Memory is wanted by somebody else now and then. */
        REVOKED
    }

    private record Case(SortTable table, List<SortKey> keys, long limit, long seed) {

        static Case random(long seed, int maxRows) {
            Random random = new Random(seed);
            SortTable table =
                    SortTable.random(
                            SortTable.types(1 + random.nextInt(4), random),
                            random.nextInt(maxRows),
                            random);
            return new Case(
                    table,
                    table.keys(random),
                    switch (random.nextInt(3)) {
                        case 0 -> random.nextInt(20);
                        case 1 -> random.nextInt(maxRows);
                        default -> Long.MAX_VALUE;
                    },
                    seed);
        }

        List<List<@Nullable Object>> expected() {
            List<List<@Nullable Object>> sorted = table.sorted(keys);
            return sorted.subList(0, (int) Math.min(limit, sorted.size()));
        }

        BatchStream stream(Way way, SortRig rig) {
            BatchStream input =
                    Streams.of(
                            table.schema(),
                            table.batches(40, new Random(seed), rig.pool().allocator()));
            SortOperator sort = new SortOperator(keys, limit, table.schema());
            if (way == Way.IN_MEMORY) {
                return sort.over(List.of(input), rig.context());
            }
            SortShape shape =
                    new SortShape(table.schema(), keys, limit, 10_000, 700, rig.pool().allocator());
            return new SortStream(input, shape, rig.context());
        }
    }

    private static SortRig rig(int parallelism) {
        return new SortRig(folder, MEMORY, parallelism, BATCH_ROWS);
    }

    /** All batches, as rows. */
    private static List<List<List<@Nullable Object>>> run(Case of, Way way, SortRig rig) {
        MemoryReservation hog =
                way == Way.BESIDE_A_HOG
                        ? Objects.requireNonNull(rig.pool().tryAdmit(MEMORY / 2 - (1 << 20) - LEFT))
                        : null;
        List<List<List<@Nullable Object>>> batches = new ArrayList<>();
        Random random = new Random(of.seed);
        try (BatchStream stream = of.stream(way, rig)) {
            while (true) {
                if (way == Way.REVOKED && random.nextInt(8) == 0) {
                    stream.release();
                }
                if (way == Way.REVOKED && random.nextInt(8) == 0) {
                    var wanted = rig.pool().admit(MEMORY / 2 - (1 << 20) - LEFT);
                    for (int i = 0; i < 5; i++) {
                        take(stream.poll(), batches);
                    }
                    if (!wanted.cancel(false)) {
                        wanted.join().close();
                    }
                }
                if (take(stream.poll(), batches)) {
                    break;
                }
            }
        } finally {
            if (hog != null) {
                hog.close();
            }
        }
        return batches;
    }

    /** Whether that was the end. */
    private static boolean take(
            Poll<RecordBatch> poll, List<List<List<@Nullable Object>>> batches) {
        switch (poll) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                try (batch) {
                    batches.add(Streams.rows(batch));
                }
            }
            case Poll.Blocked<RecordBatch> blocked ->
                    blocked.until().orTimeout(10, TimeUnit.SECONDS).join();
            case Poll.Finished<RecordBatch> _ -> {
                return true;
            }
        }
        return false;
    }

    @Property(tries = 60)
    void rowsComeOutInOrderHoweverItIsDone(@ForAll long seed) {
        Case of = Case.random(seed, 1_500);
        List<List<@Nullable Object>> expected = of.expected();
        List<List<List<@Nullable Object>>> first = List.of();
        for (Way way : Way.values()) {
            for (int parallelism : new int[] {1, 2, 8}) {
                try (SortRig rig = rig(parallelism)) {
                    List<List<List<@Nullable Object>>> batches = run(of, way, rig);
                    assertThat(batches.stream().flatMap(List::stream).toList())
                            .as(
                                    "%s on %s threads, limit %s, %s",
                                    way, parallelism, of.limit, of.keys)
                            .isEqualTo(expected);
                    if (way == Way.IN_MEMORY && parallelism == 1) {
                        first = batches;
                        assertThat(rig.manager().written()).isZero();
                    }
                    assertThat(batches).isEqualTo(first);
                }
            }
        }
    }

    @Property(tries = 10)
    void closingAtAnyPollFreesEverything(@ForAll long seed) {
        Case of = Case.random(seed, 400);
        for (Way way : Way.values()) {
            boolean ended = false;
            for (int polls = 0; !ended; polls += 1 + polls / 8) {
                try (SortRig rig = rig(2)) {
                    MemoryReservation hog = rig.pool().tryAdmit(MEMORY / 2 - (1 << 20) - LEFT);
                    try (BatchStream stream = of.stream(way, rig)) {
                        List<List<List<@Nullable Object>>> ignored = new ArrayList<>();
                        for (int i = 0; i < polls && !ended; i++) {
                            ended = take(stream.poll(), ignored);
                        }
                    }
                    rig.settle();
                    Objects.requireNonNull(hog).close();
                }
            }
        }
    }

    @Property(tries = 3)
    void aFaultOfTheDiskIsACleanProblem(@ForAll long seed) {
        faults(seed, 10);
    }

    @Property(tries = 5)
    @Tag("long")
    void aFaultOfTheDiskAtAnyCallIsACleanProblem(@ForAll long seed) {
        faults(seed, Integer.MAX_VALUE);
    }

    private static void faults(long seed, int dense) {
        Case of = Case.random(seed, 400);
        List<List<@Nullable Object>> expected = of.expected();
        for (FaultyDisk.Fault fault : FaultyDisk.Fault.values()) {
            boolean struck = true;
            for (int n = 0; struck; n += 1 + n / dense) {
                FaultyDisk disk = new FaultyDisk(n, fault);
                SpillManager manager = disk.manager(folder);
                try (SortRig rig = new SortRig(manager, MEMORY, 2, BATCH_ROWS)) {
                    try {
                        assertThat(run(of, Way.BESIDE_A_HOG, rig).stream().flatMap(List::stream))
                                .containsExactlyElementsOf(expected);
                    } catch (SpillwayException e) {
                        assertThat(e.code())
                                .isIn(
                                        ErrorCode.DISK_FULL,
                                        ErrorCode.WRITE_FAILED,
                                        ErrorCode.READ_FAILED);
                        assertThat(e.context()).containsKey(SpillwayException.FILE);
                    }
                    struck = disk.hasStruck();
                    rig.settle();
                    manager.space("next", rig.pool()).close();
                    assertThat(manager.files()).isZero();
                    assertThat(manager.held()).isZero();
                    assertThat(rig.pool().held()).isZero();
                    disk.mended();
                    assertThat(run(of, Way.BESIDE_A_HOG, rig).stream().flatMap(List::stream))
                            .as("the next query")
                            .containsExactlyElementsOf(expected);
                }
            }
        }
    }

    @Property(tries = 1)
    void aMapIsNoKey() {
        ColumnType text = new ColumnType.Utf8();
        RowSchema schema = TestValues.schema(new ColumnType.MapOf(text, text, true));
        try (SortRig rig = rig(1)) {
            SortOperator sort = new SortOperator(List.of(new SortKey(0, false, false)), 1, schema);
            BatchStream input = Streams.of(schema, List.of());
            assertThatThrownBy(() -> sort.over(List.of(input), rig.context()))
                    .isInstanceOf(SpillwayException.class);
        }
    }
}
