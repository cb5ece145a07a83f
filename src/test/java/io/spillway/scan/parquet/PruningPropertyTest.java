package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanTask;
import io.spillway.scan.pruning.RandomConditions;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/** Whatever a filter is and however a file is written: telling the scan changes no row. */
class PruningPropertyTest {

    private static final String ROW = "r";
    private static final String LIST = "l";

    private static @Nullable Path folder;

    /** What rules rows out while a file is read. */
    private static final Set<Pruned.By> ALL =
            EnumSet.of(Pruned.By.STATISTICS, Pruned.By.BLOOM_FILTER, Pruned.By.PAGE_INDEX);

    /** What has ruled rows out so far. */
    private static final Set<Pruned.By> SEEN = EnumSet.noneOf(Pruned.By.class);

    @AfterContainer
    static void clean() throws IOException {
        if (folder != null) {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private static Path file(String name) throws IOException {
        if (folder == null) {
            folder = Files.createTempDirectory("pruning");
        }
        return folder.resolve(name);
    }

    @Property(tries = 60)
    void rowsAreTheSame(@ForAll long seed) throws IOException {
        check(new Random(seed));
    }

    /** The tries above prove something only if they meet all of them. */
    @Example
    void allThatRulesRowsOutIsMet() throws IOException {
        for (int seed = 0; seed < 500 && !SEEN.containsAll(ALL); seed++) {
            check(new Random(seed));
        }
        assertThat(SEEN).containsAll(ALL);
    }

    @Property(tries = 5_000)
    @Tag("long")
    void rowsAreTheSameAtLength(@ForAll long seed) throws IOException {
        check(new Random(seed));
    }

    private static void check(Random random) throws IOException {
        Path file = file("java.parquet");
        Files.deleteIfExists(file);
        write(file, random);
        try (Scans scans = new Scans()) {
            compare(scans, file, random, 8);
        }
    }

    @Property(tries = 4)
    void rowsOfDuckDbsFilesAreTheSame(@ForAll long seed) throws IOException, SQLException {
        Random random = new Random(seed);
        Path small = file("small.parquet");
        Path file = file("duckdb.parquet");
        Files.deleteIfExists(small);
        write(small, random);
        try (DuckDb duck = new DuckDb();
                Scans scans = new Scans()) {
            duck.write(
                    "SELECT t.* REPLACE (t.r + n.i * 1000 AS r) FROM '"
                            + small
                            + "' t, range(100) n(i) ORDER BY "
                            + pick(random, "i", "d", "s", "n", "r"),
                    file,
                    "row_group_size 2048");
            compare(scans, file, random, 8);
        }
    }

    private static String pick(Random random, String... names) {
        return names[random.nextInt(names.length)];
    }

    private static void compare(Scans scans, Path file, Random random, int conditions) {
        Filtered filtered = new Filtered(scans);
        FileStatus status = scans.status(file);
        FileMetadata metadata = scans.format.metadata(status);
        RandomConditions some = new RandomConditions(random);
        for (int i = 0; i < conditions; i++) {
            Expression condition = some.condition(random.nextInt(3));
            RowSchema columns = columns(metadata.schema(), random);
            int partition = random.nextInt(metadata.partitionRows().size());
            long rows = metadata.partitionRows().get(partition);
            long from = random.nextInt(3) == 0 ? random.nextLong(rows) : 0;
            long to = random.nextInt(3) == 0 ? from + random.nextLong(rows - from + 1) : rows;
            ScanTask task = new ScanTask(status, partition, from, to, columns);
            int batch = random.nextInt(100) + 1;
            String context = condition + " of " + task;
            assertThat(outcome(filtered, task.where(condition), condition, batch))
                    .as(context)
                    .isEqualTo(outcome(filtered, task, condition, batch));
        }
        filtered.told().pruned.forEach(pruned -> SEEN.add(pruned.by()));
    }

    /** The matching rows, or the code of the error that finding them raises. */
    private static Object outcome(
            Filtered filtered, ScanTask task, Expression condition, int batchRows) {
        try {
            return filtered.matching(task, condition, batchRows);
        } catch (SpillwayException e) {
            return e.code();
        }
    }

    /** The columns of conditions, and perhaps others. */
    private static RowSchema columns(RowSchema schema, Random random) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema column : RandomConditions.COLUMNS.columns()) {
            columns.add(schema.column(schema.indexOf(column.name())));
        }
        for (String other : List.of(ROW, LIST)) {
            if (random.nextInt(3) > 0) {
                columns.add(schema.column(schema.indexOf(other)));
            }
        }
        return new RowSchema(columns);
    }

    private static void write(Path file, Random random) throws IOException {
        int decimal = random.nextInt(4);
        String schema =
                """
                message m {
                  optional int32 i;
                  optional double d;
                  optional binary s (STRING);
                  optional %s n (DECIMAL(9,2));
                  optional boolean b;
                  required int64 r;
                  optional group l (LIST) { repeated group list { optional int64 element; } }
                }
                """
                        .formatted(
                                List.of("int32", "int64", "binary", "fixed_len_byte_array(5)")
                                        .get(decimal));
        RandomConditions conditions = new RandomConditions(random);
        List<List<Literal>> values = new ArrayList<>();
        for (int n = random.nextInt(300) + 1; n > 0; n--) {
            values.add(conditions.row());
        }
        int order = random.nextInt(8);
        if (order < RandomConditions.COLUMNS.size()) {
            // Clustered, so that bounds can tell pages apart.
            values.sort(
                    Comparator.comparing(
                            row -> row.get(order).value(),
                            Comparator.nullsLast(Comparator.naturalOrder())));
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (List<Literal> row : values) {
            List<@Nullable Object> objects = new ArrayList<>();
            for (int c = 0; c < row.size(); c++) {
                objects.add(object(row.get(c).value(), c, decimal));
            }
            objects.add((long) rows.size());
            int r = rows.size();
            objects.add(r % 5 == 0 ? null : new long[r % 4]);
            rows.add(objects);
        }
        IndexedFile.write(file, schema, rows, b -> options(b, random));
    }

    private static @Nullable Object object(@Nullable String value, int column, int decimal) {
        if (value == null) {
            return null;
        }
        return switch (column) {
            case 0 -> Integer.valueOf(value);
            case 1 -> Double.valueOf(value);
            case 2 -> value;
            case 3 -> {
                BigInteger unscaled = new BigDecimal(value).unscaledValue();
                yield switch (decimal) {
                    case 0 -> unscaled.intValueExact();
                    case 1 -> unscaled.longValueExact();
                    case 2 -> unscaled.toByteArray();
                    default -> padded(unscaled);
                };
            }
            default -> Boolean.valueOf(value);
        };
    }

    private static byte[] padded(BigInteger value) {
        byte[] least = value.toByteArray();
        byte[] plain = new byte[5];
        Arrays.fill(plain, (byte) (value.signum() < 0 ? -1 : 0));
        System.arraycopy(least, 0, plain, plain.length - least.length, least.length);
        return plain;
    }

    private static ExampleParquetWriter.Builder options(
            ExampleParquetWriter.Builder b, Random random) {
        boolean bloom = random.nextBoolean();
        b.withPageRowCountLimit(random.nextInt(40) + 1)
                .withPageSize(64 << random.nextInt(6))
                .withRowGroupRowCountLimit(random.nextInt(200) + 20)
                .withDictionaryEncoding(random.nextBoolean())
                .withDictionaryPageSize(64 << random.nextInt(8))
                .withStatisticsEnabled(random.nextInt(4) > 0)
                .withColumnIndexTruncateLength(random.nextInt(20) + 1)
                .withStatisticsTruncateLength(random.nextInt(20) + 1)
                .withWriterVersion(
                        random.nextBoolean()
                                ? WriterVersion.PARQUET_1_0
                                : WriterVersion.PARQUET_2_0)
                .withCompressionCodec(
                        random.nextBoolean()
                                ? CompressionCodecName.ZSTD
                                : CompressionCodecName.UNCOMPRESSED);
        if (bloom) {
            for (String name : List.of("i", "d", "s", "n")) {
                b.withBloomFilterEnabled(name, true).withBloomFilterNDV(name, 20);
            }
        }
        return b;
    }
}
