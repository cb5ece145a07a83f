package io.spillway.scan.parquet;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Parquet to Arrow, one thread, whole row groups: rows a second. The file has 19 columns in the
 * shape of taxi trips: two of timestamps in plain pages, one of texts, five with some nulls, the
 * others integers and floating-point numbers in dictionaries of two to some thousand entries.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
public class DecodeBenchmark {

    private static final int BATCH_ROWS = 4096;

    private static final String TRIPS =
            """
            SELECT (1 + hash(i) % 2)::INTEGER AS vendor,
                   TIMESTAMP '2024-01-01' + to_seconds((i * 2 + hash(i, 1) % 3600)::BIGINT) AS pickup,
                   TIMESTAMP '2024-01-01' + to_seconds((i * 2 + hash(i, 2) % 9000)::BIGINT) AS dropoff,
                   CASE WHEN hash(i, 3) % 22 > 0 THEN hash(i, 4) % 7 END::BIGINT AS passengers,
                   (hash(i, 5) % 3000 / 100)::DOUBLE AS distance,
                   CASE WHEN hash(i, 3) % 22 > 0 THEN 1 + hash(i, 6) % 5 END::BIGINT AS ratecode,
                   CASE WHEN hash(i, 3) % 22 > 0 THEN chr((78 + hash(i, 7) % 2)::INTEGER) END AS flag,
                   (1 + hash(i, 8) % 264)::INTEGER AS pickup_zone,
                   (1 + hash(i, 9) % 264)::INTEGER AS dropoff_zone,
                   (1 + hash(i, 10) % 4)::BIGINT AS payment_type,
                   (hash(i, 11) % 700 / 10)::DOUBLE AS fare, (hash(i, 12) % 5)::DOUBLE AS extra,
                   0.5::DOUBLE AS mta_tax, (hash(i, 13) % 1900 / 100)::DOUBLE AS tip,
                   (hash(i, 14) % 300 / 10)::DOUBLE AS tolls, 1.0::DOUBLE AS surcharge,
                   (hash(i, 15) % 9000 / 100)::DOUBLE AS total,
                   CASE WHEN hash(i, 3) % 22 > 0 THEN 2.5 END::DOUBLE AS congestion,
                   CASE WHEN hash(i, 3) % 22 > 0 THEN hash(i, 16) % 2 * 1.75 END::DOUBLE AS airport_fee
            FROM range(1000000) t(i)
            """;

    /** What was decoded. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Decoded {
        public long rows;
    }

    @Param({"zstd", "snappy", "uncompressed"})
    public String codec = "zstd";

    private final Scans scans = new Scans();
    private final List<ScanTask> tasks = new ArrayList<>();
    private @Nullable Path file;

    @Setup(Level.Trial)
    public void write() throws IOException, SQLException {
        Path path = Files.createTempFile("trips", ".parquet");
        file = path;
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.write(TRIPS, path, "COMPRESSION " + codec + ", ROW_GROUP_SIZE 122880");
        }
        FileStatus status = scans.status(path);
        FileMetadata metadata = scans.format.metadata(status);
        for (int p = 0; p < metadata.partitionRows().size(); p++) {
            tasks.add(
                    new ScanTask(status, p, 0, metadata.partitionRows().get(p), metadata.schema()));
        }
    }

    @Benchmark
    public long decode(Decoded decoded) {
        long bytes = 0;
        for (ScanTask task : tasks) {
            try (BatchStream stream =
                    scans.format.open(task, BATCH_ROWS, scans.pool, scans.metrics)) {
                RecordBatch batch;
                while ((batch = Scans.next(stream)) != null) {
                    bytes += batch.bytes();
                    decoded.rows += batch.rowCount();
                    batch.close();
                }
            }
        }
        return bytes;
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        scans.close();
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }
}
