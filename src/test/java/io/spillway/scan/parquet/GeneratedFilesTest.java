package io.spillway.scan.parquet;

import io.spillway.scan.ScanTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/** Files of generated schemas, values and page layouts give back what was written. */
class GeneratedFilesTest {

    /** Kinds of columns; the writer's version chooses their encodings. */
    enum Kind {
        INT("int32"),
        LONG("int64"),
        BOOL("boolean"),
        FLOAT("float"),
        DOUBLE("double"),
        TEXT("binary %s (STRING)"),
        BYTES("binary"),
        FIXED("fixed_len_byte_array(3)");

        private final String type;

        Kind(String type) {
            this.type = type;
        }

        String field(String name) {
            return type.contains("%s") ? type.formatted(name) : type + " " + name;
        }
    }

    /**
     * A column.
     *
     * @param nullPercent -1 for a required column
     * @param distinct how many different values it has
     * @param fewUntil from this row on every value is another one
     */
    record Column(Kind kind, int nullPercent, int distinct, int fewUntil) {

        @Nullable Object value(Random random, int row) {
            if (random.nextInt(100) < nullPercent) {
                return null;
            }
            int n = row >= fewUntil ? row * 31 + 7 : random.nextInt(distinct);
            return switch (kind) {
                case INT -> n - 5;
                case LONG -> n * 10_000_000_019L - 3;
                case BOOL -> n % 2 == 0;
                case FLOAT -> n / 8f;
                case DOUBLE -> n / 7.0;
                case TEXT -> "é".repeat(n % 9) + (n % 4 == 0 ? "" : n);
                case BYTES -> new byte[n % 23];
                case FIXED -> new byte[] {(byte) n, (byte) (n >> 8), -1};
            };
        }
    }

    @Provide
    Arbitrary<List<Column>> schemas() {
        Arbitrary<Column> column =
                Combinators.combine(
                                Arbitraries.of(Kind.class),
                                Arbitraries.of(-1, 0, 3, 50, 97, 100),
                                Arbitraries.of(1, 2, 5, 300, 100_000),
                                Arbitraries.of(0, 100, 1000, Integer.MAX_VALUE))
                        .as(Column::new);
        return column.list().ofMinSize(1).ofMaxSize(5);
    }

    @Provide
    Arbitrary<ParquetFile.Options> layouts() {
        return Combinators.combine(
                        Arbitraries.of(WriterVersion.class),
                        Arbitraries.of(
                                CompressionCodecName.UNCOMPRESSED,
                                CompressionCodecName.SNAPPY,
                                CompressionCodecName.GZIP,
                                CompressionCodecName.ZSTD,
                                CompressionCodecName.LZ4_RAW),
                        Arbitraries.of(true, false),
                        Arbitraries.of(1, 7, 64, 1000),
                        Arbitraries.of(64, 200, 2000, 1 << 20),
                        Arbitraries.of(2000L, 128L << 20))
                .as(
                        (version, codec, dictionary, pageRows, dictionaryBytes, groupBytes) ->
                                new ParquetFile.Options(
                                        version,
                                        codec,
                                        dictionary,
                                        pageRows,
                                        dictionaryBytes,
                                        groupBytes));
    }

    @Property(tries = 60)
    void readsWhatWasWritten(
            @ForAll("schemas") List<Column> columns,
            @ForAll("layouts") ParquetFile.Options layout,
            @ForAll @IntRange(max = 1200) int rowCount,
            @ForAll @IntRange(min = 1, max = 700) int batchRows,
            @ForAll long seed)
            throws IOException {
        List<List<@Nullable Object>> rows = rows(columns, rowCount, new Random(seed));
        Path file = Files.createTempFile("generated", ".parquet");
        Files.delete(file);
        try (Scans scans = new Scans()) {
            ParquetFile.write(file, schema(columns), rows, layout);
            List<List<@Nullable String>> expected = texts(rows);
            Values.assertSame(scans.all(file, batchRows), expected);
            if (rowCount > 0) {
                ScanTask task = scans.task(file, 0);
                Random random = new Random(seed);
                long from = random.nextLong(task.rows() + 1);
                long to = from + random.nextLong(task.rows() - from + 1);
                Values.assertSame(
                        scans.read(Scans.rows(task, from, to), batchRows),
                        expected.subList((int) from, (int) to));
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static String schema(List<Column> columns) {
        StringBuilder schema = new StringBuilder("message m {");
        for (int i = 0; i < columns.size(); i++) {
            Column c = columns.get(i);
            schema.append(c.nullPercent() < 0 ? " required " : " optional ")
                    .append(c.kind().field("c" + i))
                    .append(';');
        }
        return schema.append(" }").toString();
    }

    private static List<List<@Nullable Object>> rows(
            List<Column> columns, int count, Random random) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            for (Column c : columns) {
                row.add(c.value(random, i));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<List<@Nullable String>> texts(List<List<@Nullable Object>> rows) {
        List<List<@Nullable String>> texts = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            List<@Nullable String> values = new ArrayList<>();
            for (Object value : row) {
                values.add(
                        switch (value) {
                            case null -> null;
                            case byte[] b -> HexFormat.of().formatHex(b);
                            default -> value.toString();
                        });
            }
            texts.add(values);
        }
        return texts;
    }
}
