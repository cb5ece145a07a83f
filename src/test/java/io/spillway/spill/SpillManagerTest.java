package io.spillway.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillManagerTest {

    private static final int ROWS = 3_000;
    private static final int TEXT = 400;

    @TempDir Path folder;

    private final MemoryPool pool = MemoryPool.root(64 << 20);

    @AfterEach
    void nothingIsLeft() {
        assertThat(pool.held()).isZero();
        pool.close();
    }

    private static ErrorCode code(Runnable call) {
        try {
            call.run();
        } catch (SpillwayException e) {
            return e.code();
        }
        throw new AssertionError("no failure");
    }

    private SpillFile write(SpillSpace space) {
        try (SpillWriter writer = space.create(SpillRows.SCHEMA);
                RecordBatch batch = SpillRows.batch(0, ROWS, TEXT, pool.allocator())) {
            writer.append(batch);
            return writer.finish();
        }
    }

    private long filesBelow() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(p -> p.toString().endsWith(".spill")).count();
        }
    }

    @Test
    void rowsComeBackFromAnyRowOnAndNothingStays() throws Exception {
        try (SpillManager manager = SpillManager.open(folder, 1 << 30, Decode::decode)) {
            try (SpillSpace space = manager.space("job-1", pool)) {
                SpillFile file = write(space);
                assertThat(file.rows()).isEqualTo(ROWS);
                assertThat(manager.held()).isEqualTo(file.bytes()).isPositive();
                for (int from : new int[] {0, 1, 999, 1_000, 1_001, 2_999, 3_000, 4_000}) {
                    assertThat(SpillRows.read(file.read(from, pool.allocator())))
                            .isEqualTo(SpillRows.rows(from, Math.max(from, ROWS), TEXT));
                }
                BatchStream open = file.read(pool.allocator());
                if (open.poll() instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                    batch.close();
                }
                open.close();
                open.close();
            }
            assertThat(manager.held()).isZero();
            assertThat(manager.files()).isZero();
            assertThat(manager.written()).isPositive();
            assertThat(filesBelow()).isZero();
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(Path::getFileName)).containsExactly(Path.of(".lock"));
        }
    }

    @Test
    void theQuotaIsKeptAndTheNextJobRuns() throws Exception {
        try (SpillManager manager = SpillManager.open(folder, 10_000, Decode::decode)) {
            try (SpillSpace space = manager.space("a", pool)) {
                assertThatThrownBy(() -> write(space))
                        .isInstanceOfSatisfying(
                                SpillwayException.class,
                                e -> {
                                    assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
                                    assertThat(e.context())
                                            .containsEntry(SpillwayException.LIMIT, 10_000L);
                                });
                assertThat(manager.held()).isZero();
            }
            try (SpillSpace space = manager.space("b", pool);
                    SpillWriter writer = space.create(SpillRows.SCHEMA);
                    RecordBatch batch = SpillRows.batch(0, 10, 10, pool.allocator())) {
                writer.append(batch);
                assertThat(SpillRows.read(writer.finish().read(pool.allocator()))).hasSize(10);
            }
            assertThat(manager.files()).isZero();
        }
    }

    @Test
    void filesOfDeadProcessesGoAndThoseOfLivingOnesStay() throws Exception {
        Path dead = Files.createDirectory(folder.resolve("process-dead"));
        Files.createFile(dead.resolve("lock"));
        Files.writeString(dead.resolve("job-1.spill"), "left behind");
        Files.writeString(folder.resolve("other.txt"), "not ours");
        try (SpillManager one = SpillManager.open(folder, 1 << 30, Decode::decode);
                SpillSpace space = one.space("job", pool)) {
            assertThat(dead).doesNotExist();
            SpillFile file = write(space);
            SpillManager.open(folder, 1 << 30, Decode::decode).close();
            assertThat(SpillRows.read(file.read(pool.allocator()))).hasSize(ROWS);
        }
        assertThat(folder.resolve("other.txt")).exists();
    }

    @Test
    void aFolderThatCannotBeIsToldAtTheStart() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(code(() -> SpillManager.open(file.resolve("below"), 1, Decode::decode)))
                .isEqualTo(ErrorCode.WRITE_FAILED);
    }

    @Test
    void aClosedFileOrSpaceFailsTyped() {
        try (SpillManager manager = SpillManager.open(folder, 1 << 30, Decode::decode)) {
            SpillSpace space = manager.space("job", pool);
            SpillFile file = write(space);
            BatchStream stream = file.read(pool.allocator());
            file.close();
            file.close();
            assertThat(code(stream::poll)).isEqualTo(ErrorCode.CANCELED);
            stream.close();
            SpillWriter writer = space.create(SpillRows.SCHEMA);
            space.close();
            try (RecordBatch batch = SpillRows.batch(0, 10, 10, pool.allocator())) {
                assertThat(code(() -> writer.append(batch))).isEqualTo(ErrorCode.CANCELED);
            }
            writer.close();
            assertThat(code(() -> space.create(SpillRows.SCHEMA))).isEqualTo(ErrorCode.CANCELED);
            assertThat(manager.held()).isZero();
        }
    }

    @Test
    void aFaultAtAnyCallGivesTheRowsOrACleanProblem() throws Exception {
        List<String> expected = SpillRows.rows(0, ROWS, TEXT);
        for (FaultyDisk.Fault fault : FaultyDisk.Fault.values()) {
            boolean struck = true;
            for (int n = 0; struck; n++) {
                FaultyDisk disk = new FaultyDisk(n, fault);
                try (SpillManager manager =
                        SpillManager.open(folder, 1 << 30, Decode::decode, disk)) {
                    try (SpillSpace space = manager.space("job", pool)) {
                        SpillFile file = write(space);
                        assertThat(SpillRows.read(file.read(pool.allocator()))).isEqualTo(expected);
                    } catch (SpillwayException e) {
                        assertThat(e.code())
                                .isIn(
                                        fault == FaultyDisk.Fault.FULL
                                                ? ErrorCode.DISK_FULL
                                                : ErrorCode.WRITE_FAILED,
                                        ErrorCode.READ_FAILED);
                        assertThat(e.context()).containsKey(SpillwayException.FILE);
                    }
                    struck = disk.hasStruck();
                    manager.space("next", pool).close();
                    assertThat(manager.held()).as("call %s", n).isZero();
                    assertThat(manager.files()).isZero();
                    assertThat(filesBelow()).isZero();
                    assertThat(pool.held()).isZero();
                    disk.mended();
                    try (SpillSpace space = manager.space("after", pool)) {
                        assertThat(SpillRows.read(write(space).read(pool.allocator())))
                                .isEqualTo(expected);
                    }
                }
            }
        }
    }
}
