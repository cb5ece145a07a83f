package io.spillway.scan.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.DuckDb;
import io.spillway.scan.parquet.ParquetFile;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.bytes.ReadSizes;
import io.spillway.storage.FileStatus;
import io.spillway.storage.LocalFiles;
import io.spillway.storage.RangeReader;
import io.spillway.storage.ReadProfile;
import io.spillway.testing.ForwardingFiles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests a row group is read by, and that their buffers are what was estimated. */
class FirstReadsTest {

    private record Request(long from, int length) {}

    /** Local files that are read like some other file system, and tell what they are asked. */
    private static final class ToldFiles extends ForwardingFiles {

        private final ReadProfile profile;
        private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());

        ToldFiles(ReadProfile profile) {
            this.profile = profile;
        }

        @Override
        public ReadProfile profile() {
            return profile;
        }

        @Override
        public RangeReader open(FileStatus pinned) {
            RangeReader reader = super.open(pinned);
            return new RangeReader() {
                @Override
                public FileStatus status() {
                    return reader.status();
                }

                @Override
                public void readFully(long position, ByteBuffer into) {
                    requests.add(new Request(position, into.remaining()));
                    reader.readFully(position, into);
                }

                @Override
                public void close() {
                    reader.close();
                }
            };
        }
    }

    @TempDir Path folder;

    private Path write(int rows, int rowGroupRows) throws Exception {
        Path file = folder.resolve("file.parquet");
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.write(
                    """
                    SELECT i AS a, hash(i) AS b, hash(i + 1) AS c, hash(i + 2) AS d
                    FROM range(%d) t(i)
                    """
                            .formatted(rows),
                    file,
                    "COMPRESSION uncompressed, ROW_GROUP_SIZE " + rowGroupRows);
        }
        return file;
    }

    private List<List<@Nullable String>> read(ToldFiles files, Path file, String... columns) {
        try (Scans scans = new Scans(files, ScanMetrics.NONE)) {
            ScanTask all = scans.task(file, 0);
            ScanTask task = columns.length == 0 ? all : Scans.columns(all, columns);
            files.requests.clear();
            long estimate = scans.format.estimateBytes(task, 1000);
            List<List<@Nullable String>> rows = scans.read(task, 1000);
            assertThat(scans.pool.peak()).isLessThanOrEqualTo(estimate);
            return rows;
        }
    }

    @Test
    void aSmallRowGroupIsOneRequest() throws Exception {
        Path file = write(20_000, 20_480);
        ToldFiles files = new ToldFiles(ReadProfile.LOCAL);

        assertThat(read(files, file)).hasSize(20_000);
        assertThat(files.requests).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"65536, 2", "1048576, 1"})
    void gapsAreReadOnlyWhereThatCostsLessThanARequest(int gap, int requests) throws Exception {
        Path file = write(20_000, 20_480);
        ToldFiles files = new ToldFiles(new ReadProfile(8, gap, 1 << 20));

        assertThat(read(files, file, "d", "a")).hasSize(20_000);
        assertThat(files.requests).hasSize(requests);
    }

    @ParameterizedTest
    @CsvSource({"1048576", "4194304", "67108864"})
    void largeChunksAreReadByWindowsOnceEach(int ahead) throws Exception {
        int count = 60_000;
        Random random = new Random(6);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] text = new byte[160];
            random.nextBytes(text);
            rows.add(List.of(text));
        }
        Path file = folder.resolve("large.parquet");
        ParquetFile.write(
                file,
                "message m { required binary s; }",
                rows,
                ParquetFile.Options.DEFAULT.dictionary(false).pageRows(1000));
        ToldFiles files = new ToldFiles(new ReadProfile(8, 1 << 20, ahead));

        assertThat(read(files, file)).hasSize(count);
        long bytes = files.requests.stream().mapToLong(Request::length).sum();
        long size = new LocalFiles().status(file.toString()).size();
        int window = ReadSizes.of(files.profile(), 1).window();
        assertThat(bytes).isLessThanOrEqualTo(size);
        assertThat(files.requests)
                .allSatisfy(r -> assertThat(r.length()).isLessThanOrEqualTo(window))
                .hasSizeBetween((int) (size / window), (int) (size * 5 / 4 / window) + 2);
    }
}
