package io.spillway.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Decode;
import io.spillway.job.JdbcSpoolStore;
import io.spillway.memory.MemoryPool;
import io.spillway.spill.BlockEncoder;
import io.spillway.spill.BlockFormat;
import io.spillway.spill.SpillRows;
import io.spillway.storage.Existing;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.FileWriter;
import io.spillway.storage.LocalFiles;
import io.spillway.storage.RangeReader;
import io.spillway.testing.ForwardingFiles;
import io.spillway.testing.SpoolFolders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

class SpoolTest {

    private static final int ROWS = 5_000;
    private static final int TEXT = 100;
    private static final int BATCH = 500;
    private static final long LARGE = 1 << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    private final MemoryPool pool = MemoryPool.root(64 << 20);
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final DataSource database = SpoolFolders.database();

    @AfterEach
    void nothingIsLeft() {
        waiting.close();
        assertThat(pool.held()).isZero();
        pool.close();
    }

    private JobSpools spools(FileSystemAccess files, long quota) {
        return manager(files, quota).job("job");
    }

    private SpoolManager manager(FileSystemAccess files, long quota) {
        return new SpoolManager(
                new JdbcSpoolStore(JdbcClient.create(database)),
                files,
                folder.toUri().toString().replaceAll("/+$", ""),
                quota,
                14_000,
                Decode::decode,
                waiting);
    }

    private JobSpools spools() {
        return spools(new LocalFiles(), Long.MAX_VALUE);
    }

    private void write(SpoolBuilder builder) {
        BlockEncoder encoder = builder.encoder();
        for (int from = 0; from < ROWS; from += BATCH) {
            try (RecordBatch batch = SpillRows.batch(from, BATCH, TEXT, pool.allocator())) {
                encoder.encode(batch, pool.allocator(), builder::write);
            }
        }
    }

    private Spool build(JobSpools spools) {
        try (SpoolBuilder builder = spools.build(0, SpillRows.SCHEMA).orElseThrow()) {
            write(builder);
            return Objects.requireNonNull(builder.finish());
        }
    }

    private List<String> read(Spool spool, int segment, long from, long to, long pieceBytes) {
        SpoolRange range = new SpoolRange(segment, from, to, List.of(0, 1));
        List<String> rows = new ArrayList<>();
        try (BatchStream stream =
                spool.open(range, pieceBytes, pool.allocator(), waiting, bytes -> {})) {
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                        try (batch) {
                            rows.addAll(SpillRows.read(batch));
                        }
                    }
                    case Poll.Blocked<RecordBatch>(var until) ->
                            until.handle((done, failure) -> done).join();
                    case Poll.Finished<RecordBatch>() -> {
                        return rows;
                    }
                }
            }
        }
    }

    private List<String> all(Spool spool) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < spool.segments(); i++) {
            rows.addAll(read(spool, i, 0, spool.rows(i), LARGE));
        }
        return rows;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static ErrorCode code(Runnable call) {
        try {
            call.run();
        } catch (SpillwayException e) {
            return e.code();
        }
        throw new AssertionError("no failure");
    }

    @Test
    void rowsComeBackFromAnyRowOnInPiecesOfAnySize() throws IOException {
        Spool built = build(spools());
        assertThat(built.segments()).isGreaterThan(2);
        assertThat(files()).hasSize(built.segments());
        assertThat(all(built)).isEqualTo(SpillRows.rows(0, ROWS, TEXT));
        Spool found = spools().find(0, SpillRows.SCHEMA).orElseThrow();
        int first = (int) found.rows(0);
        int rows = (int) found.rows(1);
        for (long pieceBytes : new long[] {1, 20_000, LARGE}) {
            for (int from : new int[] {0, 1, BATCH - 1, BATCH, rows - 1, rows}) {
                for (int to : new int[] {from, Math.min(from + 1, rows), rows}) {
                    assertThat(read(found, 1, from, to, pieceBytes))
                            .isEqualTo(SpillRows.rows(first + from, first + to, TEXT));
                }
            }
        }
        assertThat(spools().build(0, SpillRows.SCHEMA)).as("it is there").isEmpty();
        assertThat(spools().find(1, SpillRows.SCHEMA)).isEmpty();
    }

    @Test
    void streamsAreLetGoOfAndTakenUpAgain() {
        Spool spool = build(spools());
        SpoolRange range = new SpoolRange(0, 10, spool.rows(0), List.of(0, 1));
        List<String> rows = new ArrayList<>();
        try (BatchStream stream =
                spool.open(range, 10_000, pool.allocator(), waiting, bytes -> {})) {
            for (Poll<RecordBatch> answer = stream.poll();
                    !(answer instanceof Poll.Finished);
                    answer = stream.poll()) {
                if (answer instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                    try (batch) {
                        rows.addAll(SpillRows.read(batch));
                    }
                    stream.release();
                }
            }
        }
        assertThat(rows).isEqualTo(SpillRows.rows(10, (int) spool.rows(0), TEXT));
        // Closed while a piece is on its way.
        BatchStream left = spool.open(range, LARGE, pool.allocator(), waiting, bytes -> {});
        if (left.poll() instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
            batch.close();
        }
        left.close();
        left.close();
        assertThat(left.poll()).isEqualTo(Poll.finished());
    }

    @Test
    void theSameRowsMakeTheSameFiles() throws IOException {
        build(spools());
        List<byte[]> first = new ArrayList<>();
        for (Path file : files()) {
            first.add(Files.readAllBytes(file));
        }
        Spool spool = spools().find(0, SpillRows.SCHEMA).orElseThrow();
        spools().discard(spool);
        build(spools());
        List<Path> again = files();
        assertThat(again).hasSameSizeAs(first).allMatch(path -> path.toString().contains("0-2"));
        for (int i = 0; i < again.size(); i++) {
            assertThat(Files.readAllBytes(again.get(i))).isEqualTo(first.get(i));
        }
    }

    /** Every byte that a reader relies on, some of them in turn. */
    @Test
    void damageIsSeenAndNeverRead() throws IOException {
        build(spools());
        Path file = files().get(1);
        byte[] whole = Files.readAllBytes(file);
        Spool sound = spools().find(0, SpillRows.SCHEMA).orElseThrow();
        List<String> rows = read(sound, 1, 0, sound.rows(1), LARGE);
        int schema = BlockFormat.schema(SpillRows.SCHEMA).length;
        int step = whole.length / 150;
        for (int at = schema; at < whole.length; at += at < whole.length - 60 ? step : 1) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(file, damaged);
            assertLost(String.valueOf(at));
        }
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertLost("cut");
        Files.delete(file);
        assertLost("gone");
        Files.write(file, whole);
        Spool again = spools().find(0, SpillRows.SCHEMA).orElseThrow();
        assertThat(read(again, 1, 0, again.rows(1), LARGE)).isEqualTo(rows);
    }

    private void assertLost(String what) {
        Spool spool = spools().find(0, SpillRows.SCHEMA).orElseThrow();
        assertThat(spool.isLost()).isFalse();
        assertThatThrownBy(() -> read(spool, 1, 0, spool.rows(1), LARGE))
                .as(what)
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.READ_FAILED);
                            assertThat(e).hasMessage("Spool segment '1.spool' is lost or damaged");
                        });
        assertThat(spool.isLost()).isTrue();
    }

    @Test
    void aDiskThatDoesNotAnswerIsNoLoss() {
        build(spools());
        FileSystemAccess failing =
                new ForwardingFiles() {
                    @Override
                    public RangeReader open(FileStatus pinned) {
                        throw new SpillwayException(ErrorCode.READ_FAILED, "/secret is away");
                    }
                };
        Spool spool = spools(failing, Long.MAX_VALUE).find(0, SpillRows.SCHEMA).orElseThrow();
        assertThatThrownBy(() -> read(spool, 0, 0, 10, LARGE))
                .hasMessage("Spool segment '0.spool' could not be read");
        assertThat(spool.isLost()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 14, 15, 16})
    void aDiskThatFillsUpLeavesNothingBehind(int failingWrite) throws IOException {
        AtomicInteger writes = new AtomicInteger();
        FileSystemAccess filling =
                new ForwardingFiles() {
                    @Override
                    public FileWriter create(String uri, String tag, Existing existing) {
                        FileWriter file = super.create(uri, tag, existing);
                        return new FileWriter() {
                            @Override
                            public long position() {
                                return file.position();
                            }

                            @Override
                            public void write(ByteBuffer bytes) {
                                if (writes.incrementAndGet() == failingWrite) {
                                    throw new SpillwayException(
                                            ErrorCode.DISK_FULL, uri + " could not be written");
                                }
                                file.write(bytes);
                            }

                            @Override
                            public FileStatus commit() {
                                return file.commit();
                            }

                            @Override
                            public void close() {
                                file.close();
                            }
                        };
                    }
                };
        JobSpools spools = spools(filling, Long.MAX_VALUE);
        try (SpoolBuilder builder = spools.build(0, SpillRows.SCHEMA).orElseThrow()) {
            assertThatThrownBy(
                            () -> {
                                write(builder);
                                builder.finish();
                            })
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL))
                    .hasMessageMatching(
                            "Spool segment '\\d.spool' could not be written: the disk is full");
        }
        assertThat(files()).isEmpty();
        assertThat(spools.find(0, SpillRows.SCHEMA)).isEmpty();
        assertThat(all(build(spools))).hasSize(ROWS);
    }

    @Test
    void theQuotaIsForAllJobsTogether() throws IOException {
        build(spools());
        long taken = 0;
        for (Path file : files()) {
            taken += Files.size(file);
        }
        int before = files().size();
        JobSpools other = manager(new LocalFiles(), taken * 3 / 2).job("other");
        try (SpoolBuilder builder = other.build(0, SpillRows.SCHEMA).orElseThrow()) {
            assertThat(
                            code(
                                    () -> {
                                        write(builder);
                                        builder.finish();
                                    }))
                    .isEqualTo(ErrorCode.DISK_FULL);
        }
        assertThat(files()).hasSize(before);
        spools().discard(spools().find(0, SpillRows.SCHEMA).orElseThrow());
        assertThat(all(build(other))).hasSize(ROWS);
    }

    @Test
    void aBuilderThatWasTakenOverWritesNothingThatIsSeen() throws IOException {
        SpoolStore store = new JdbcSpoolStore(JdbcClient.create(database));
        SpoolBuilder slow = spools().build(0, SpillRows.SCHEMA).orElseThrow();
        write(slow);
        assertThat(spools().build(0, SpillRows.SCHEMA)).isEmpty();
        store.release(new SpoolLease(new SpoolId("job", 0), 1));
        Spool fast = build(spools());
        assertThat(slow.finish()).isNull();
        slow.close();
        assertThat(files()).hasSize(fast.segments());
        assertThat(all(fast)).isEqualTo(SpillRows.rows(0, ROWS, TEXT));
    }

    @Test
    void aSweepDeletesWhatNoJobHas() throws IOException {
        build(spools());
        Optional<SpoolBuilder> other = spools().build(1, SpillRows.SCHEMA);
        SpoolManager manager = manager(new LocalFiles(), Long.MAX_VALUE);
        manager.sweep(Instant.now());
        assertThat(files()).as("somebody builds").isNotEmpty();
        other.orElseThrow().close();
        manager.sweep(Instant.now());
        assertThat(folder).isEmptyDirectory();
        assertThat(spools().find(0, SpillRows.SCHEMA)).isEmpty();
    }

    @Test
    void aResultWithoutRowsHasNoFiles() throws IOException {
        try (SpoolBuilder builder = spools().build(0, SpillRows.SCHEMA).orElseThrow()) {
            assertThat(Objects.requireNonNull(builder.finish()).segments()).isZero();
        }
        assertThat(files()).isEmpty();
        assertThat(spools().find(0, SpillRows.SCHEMA).orElseThrow().segments()).isZero();
    }

    @Test
    void aManifestThatCannotBeReadIsTyped() {
        for (String text :
                List.of(
                        "",
                        "[]",
                        "{}",
                        "{\"version\": 2, \"compression\": \"LZ4\", \"segments\": []}")) {
            assertThat(code(() -> SpoolManifest.fromJson(text))).isEqualTo(ErrorCode.INTERNAL);
        }
    }
}
