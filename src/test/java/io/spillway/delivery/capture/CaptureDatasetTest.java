package io.spillway.delivery.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobService;
import io.spillway.memory.MemoryPool;
import io.spillway.storage.Existing;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.FileSystems;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was captured, written beside the keys of its rows. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class CaptureDatasetTest {

    private static final int SIZE = 96;
    private static final List<CaptureColumn> COLUMNS =
            List.of(
                    new CaptureColumn("embedding", "$.data[*].embedding", "list<float32>"),
                    new CaptureColumn("tokens", "$.data[*].tokens", null),
                    new CaptureColumn("note", "$.data[*].note", null));

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static FileSystemAccess files;

    @BeforeAll
    static void start() {
        Path file =
                ParquetFiles.write(
                        folder.resolve("docs.parquet"),
                        "SELECT i AS id, 'doc ' || i AS text, i % 3 AS other FROM range(0, 5000) AS"
                                + " t(i)",
                        "ROW_GROUP_SIZE 2048");
        server = SpillwayServer.builder().root(folder).dataset("docs", file).start();
        files =
                Objects.requireNonNull(
                        server.bean("fileSystems", FileSystems.class).byScheme().get("file"));
    }

    @AfterAll
    static void stop() {
        MemoryPool memory = server.bean("memory", MemoryPool.class);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(memory.held()).isZero());
        server.close();
    }

    /** What an endpoint would answer to some rows of {@code id % 2 = 0}. */
    private static Captured captured(CaptureForm form, long first, int rows) {
        StringBuilder response = new StringBuilder("{\"data\":[");
        for (int i = 0; i < rows; i++) {
            long id = 2 * (first + i);
            response.append(i == 0 ? "" : ",")
                    .append(
                            "{\"embedding\":[%d.5,null],\"tokens\":%s,\"note\":%s}"
                                    .formatted(
                                            id,
                                            id == 3_000 ? "0.5" : Long.toString(id),
                                            id % 4 == 0 ? "null" : "\"n" + id + "\""));
        }
        byte[] bytes = response.append("]}").toString().getBytes(StandardCharsets.UTF_8);
        CaptureRead read = form.capture(first, rows, bytes, false);
        assertThat(read).as("%s", read).isInstanceOf(Captured.class);
        return (Captured) read;
    }

    @Test
    void partsFoundAgainBecomeADataset() throws Exception {
        Job job = job();
        CaptureForm form = CaptureForm.of(COLUMNS, List.of("other", "id"), job.plan().schema());
        String hidden = folder.resolve(".capture-1").toUri().toString();
        List<String> stored = new ArrayList<>();
        CaptureParts before = new CaptureParts(files, hidden);
        // Batches are answered in any order, some not at all.
        for (int k = 26; k >= 0; k -= 2) {
            List<Captured> some = new ArrayList<>();
            for (int batch : new int[] {k, k - 1}) {
                if (batch >= 0 && batch != 5 && batch != 20) {
                    int first = batch * SIZE;
                    some.add(captured(form, first, Math.min(SIZE, 2_500 - first)));
                }
            }
            before.write("1-" + k, some).forEach(place -> stored.add(place.text()));
        }
        // One whose batches nobody stored.
        before.write("1-lost", List.of(captured(form, 0, SIZE)));

        CaptureParts after = new CaptureParts(files, hidden);
        List<CapturePlace> places =
                stored.stream()
                        .map(CapturePlace::parse)
                        .sorted((a, b) -> Long.compare(a.firstRow(), b.firstRow()))
                        .toList();
        Path target = folder.resolve("out").resolve("embedded.parquet");
        String uri = target.toUri().toString();
        CaptureDataset dataset =
                new CaptureDataset(
                        server.bean("jobService", JobService.class), job, form, after, () -> false);
        CaptureDataset.Written written =
                dataset.write(places, files.create(uri, "t1", Existing.KEEP));
        assertThat(Objects.requireNonNull(written).rows()).isEqualTo(2_500 - 2 * SIZE);
        assertThat(written.file().size()).isEqualTo(Files.size(target));
        assertThat(written.schema().columns())
                .extracting(column -> column.name() + " " + column.type())
                .containsExactly(
                        "id int64",
                        "other int64",
                        "embedding list<float32>",
                        "tokens float64",
                        "note utf8");

        List<String> expected = new ArrayList<>();
        for (int row = 0; row < 2_500; row++) {
            if (row / SIZE != 5 && row / SIZE != 20) {
                int id = 2 * row;
                expected.add(
                        "{\"id\":%d,\"other\":%d,\"embedding\":[%d.5,null],\"tokens\":%s,\"note\":%s}"
                                .formatted(
                                        id,
                                        id % 3,
                                        id,
                                        id == 3_000 ? "0.5" : id + ".0",
                                        id % 4 == 0 ? "null" : "\"n" + id + "\""));
            }
        }
        assertThat(
                        server.ndjson(
                                "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\""
                                        + target
                                        + "\"]}}}"))
                .isEqualTo(expected);

        after.delete();
        assertThat(folder.resolve(".capture-1")).doesNotExist();
    }

    @Test
    void whatFailsOrIsCanceledIsNotThere() throws IOException {
        Job job = job();
        CaptureForm form = CaptureForm.of(COLUMNS, List.of("id"), job.plan().schema());
        CaptureParts parts =
                new CaptureParts(files, folder.resolve(".capture-2").toUri().toString());
        List<CapturePlace> places = parts.write("1", List.of(captured(form, 0, SIZE)));
        Path target = folder.resolve("none.parquet");
        String uri = target.toUri().toString();
        JobService jobs = server.bean("jobService", JobService.class);
        assertThat(
                        new CaptureDataset(jobs, job, form, parts, () -> true)
                                .write(places, files.create(uri, "t2", Existing.KEEP)))
                .isNull();
        assertThat(target).doesNotExist();

        Path part = folder.resolve(".capture-2").resolve("1.part");
        byte[] bytes = Files.readAllBytes(part);
        bytes[bytes.length / 2] ^= 1;
        Files.write(part, bytes);
        assertThatThrownBy(
                        () ->
                                new CaptureDataset(jobs, job, form, parts, () -> false)
                                        .write(places, files.create(uri, "t3", Existing.KEEP)))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
        try (var left = Files.list(folder)) {
            assertThat(left.filter(p -> p.toString().contains("none"))).isEmpty();
        }
    }

    @Test
    void nothingCapturedIsADatasetWithoutRows() throws IOException {
        Job job = job();
        CaptureForm form = CaptureForm.of(COLUMNS, List.of("id"), job.plan().schema());
        CaptureParts parts =
                new CaptureParts(files, folder.resolve(".capture-3").toUri().toString());
        Path target = folder.resolve("empty.parquet");
        CaptureDataset.Written written =
                new CaptureDataset(
                                server.bean("jobService", JobService.class),
                                job,
                                form,
                                parts,
                                () -> false)
                        .write(
                                List.of(),
                                files.create(target.toUri().toString(), "t4", Existing.KEEP));
        assertThat(Objects.requireNonNull(written).rows()).isZero();
        assertThat(target).exists();
        parts.delete();
    }

    private static Job job() {
        String id =
                server.submit(
                        "{\"from\": {\"dataset\": \"docs\"}, \"steps\": [{\"op\": \"filter\","
                                + " \"where\": \"id % 2 = 0\"}]}");
        return server.bean("jobService", JobService.class).toRead("anonymous", id);
    }
}
