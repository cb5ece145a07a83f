package io.spillway.scan.parquet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/** The good files that bad ones are made of: the suite's smaller ones, and some of each writer. */
final class MutationCorpus {

    private static final Path SUITE = Path.of("src/test/resources/parquet-testing/data");
    private static final long MAX_BYTES = 60_000;
    private static final int ROWS = 200;

    private static final String FLAT =
            """
            message m {
              required int32 i;
              optional int64 l;
              optional binary s (STRING);
              optional boolean b;
              optional double d;
              optional fixed_len_byte_array(3) f (DECIMAL(6,1));
            }
            """;

    private static final String NESTED =
            """
            SELECT i, CASE WHEN i % 3 > 0 THEN 'text' || i % 40 END AS s, i % 7 = 0 AS b,
                   CASE WHEN i % 5 > 0 THEN [CASE WHEN i % 4 > 0 THEN i END, i * 1000] END AS l,
                   {'x': i / 3.0, 'y': CASE WHEN i % 2 = 0 THEN ['a' || i % 9, NULL] ELSE [] END} AS t,
                   CASE WHEN i % 6 > 0 THEN MAP {'k' || i % 3: i, 'other': NULL} END AS m,
                   (i * i)::DECIMAL(20,3) AS d, TIMESTAMP '2024-02-29 23:59:59' + INTERVAL (i) HOUR AS ts
            FROM range(200) t(i)
            """;

    private MutationCorpus() {}

    static List<MutableFile> files(Path folder) throws IOException, SQLException {
        List<MutableFile> files = new ArrayList<>(suite());
        for (CompressionCodecName codec :
                List.of(
                        CompressionCodecName.UNCOMPRESSED,
                        CompressionCodecName.SNAPPY,
                        CompressionCodecName.GZIP,
                        CompressionCodecName.ZSTD,
                        CompressionCodecName.LZ4_RAW)) {
            for (WriterVersion version : WriterVersion.values()) {
                files.add(byParquetJava(folder, codec, version));
            }
        }
        try (DuckDb duckDb = new DuckDb()) {
            for (String options :
                    List.of(
                            "COMPRESSION uncompressed",
                            "COMPRESSION zstd, ROW_GROUP_SIZE 100",
                            "COMPRESSION snappy, PARQUET_VERSION v2",
                            "COMPRESSION gzip, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1")) {
                Path path = folder.resolve("corpus.parquet");
                duckDb.write(NESTED, path, options);
                files.add(MutableFile.of("DuckDB " + options, Files.readAllBytes(path)));
            }
        }
        return files;
    }

    private static List<MutableFile> suite() throws IOException {
        List<MutableFile> files = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(SUITE)) {
            for (Path path : paths.sorted().toList()) {
                if (path.toString().endsWith(".parquet") && Files.size(path) <= MAX_BYTES) {
                    files.add(
                            MutableFile.of(
                                    SUITE.relativize(path).toString(), Files.readAllBytes(path)));
                }
            }
        }
        return files;
    }

    /** Some columns with dictionaries, some without, some that give theirs up; with checksums. */
    private static MutableFile byParquetJava(
            Path folder, CompressionCodecName codec, WriterVersion version) throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(i % 20);
            row.add(i % 5 == 0 ? null : (long) i * i);
            row.add(i % 3 == 0 ? null : "text" + i % 30);
            row.add(i % 2 == 0 ? null : i % 3 == 0);
            row.add(i % 11 == 0 ? null : i / 3.0);
            row.add(i % 7 == 0 ? null : new byte[] {(byte) i, 1, 2});
            rows.add(row);
        }
        Path path = folder.resolve("corpus.parquet");
        Files.deleteIfExists(path);
        ParquetFile.Options options =
                ParquetFile.Options.DEFAULT
                        .codec(codec)
                        .version(version)
                        .dictionaryBytes(100)
                        .pageRows(40);
        ParquetFile.write(path, FLAT, rows, options);
        return MutableFile.of(version + " " + codec, Files.readAllBytes(path));
    }
}
