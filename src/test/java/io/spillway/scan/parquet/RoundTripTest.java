package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.scan.ScanTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/**
 * Columns of all types, nested ones too, come back as they were generated, whoever wrote them and
 * however: whole, from any row on, with and without page index, and under a filter.
 */
class RoundTripTest {

    private static final int MAX_DEPTH = 3;

    private static final List<RoundTripKind> ALL = List.of(RoundTripKind.values());
    private static final List<RoundTripKind> OF_DUCKDB =
            Stream.of(RoundTripKind.values()).filter(RoundTripKind::isWrittenByDuckDb).toList();

    /** What parquet-java's writer does beyond {@link ParquetFile.Options}. */
    record Extras(boolean splitBytes, boolean bloomFilters) {

        private static final int BLOOM_FILTER_BYTES = 256;

        void apply(ExampleParquetWriter.Builder builder) {
            builder.withByteStreamSplitEncoding(splitBytes)
                    .withBloomFilterEnabled(bloomFilters)
                    .withMaxBloomFilterBytes(BLOOM_FILTER_BYTES);
        }
    }

    @Provide
    Arbitrary<ParquetFile.Options> layouts() {
        return Combinators.combine(
                        Arbitraries.of(WriterVersion.values()),
                        Arbitraries.of(
                                CompressionCodecName.UNCOMPRESSED,
                                CompressionCodecName.SNAPPY,
                                CompressionCodecName.GZIP,
                                CompressionCodecName.ZSTD,
                                CompressionCodecName.LZ4_RAW),
                        Arbitraries.of(true, false),
                        Arbitraries.of(1, 7, 64, 1000),
                        Arbitraries.of(64, 400, 1 << 20),
                        Arbitraries.of(4000L, 128L << 20))
                .as(ParquetFile.Options::new);
    }

    @Provide
    Arbitrary<Extras> extras() {
        return Combinators.combine(Arbitraries.of(true, false), Arbitraries.of(true, false))
                .as(Extras::new);
    }

    @Provide
    Arbitrary<String> copyOptions() {
        return Combinators.combine(
                        Arbitraries.of("uncompressed", "snappy", "gzip", "zstd", "lz4_raw"),
                        Arbitraries.of("v1", "v2"),
                        Arbitraries.of(2048, 122_880),
                        Arbitraries.of(1, 50, 10_000))
                .as(
                        (codec, version, groupRows, dictionary) ->
                                "COMPRESSION %s, PARQUET_VERSION %s, ROW_GROUP_SIZE %d, DICTIONARY_SIZE_LIMIT %d"
                                        .formatted(codec, version, groupRows, dictionary));
    }

    @Property(tries = 60)
    void byParquetJava(
            @ForAll long seed,
            @ForAll("layouts") ParquetFile.Options layout,
            @ForAll("extras") Extras extras,
            @ForAll @IntRange(max = 400) int rowCount)
            throws IOException {
        checkParquetJava(seed, layout, extras, rowCount);
    }

    @Tag("long")
    @Property(tries = 3000)
    void byParquetJavaAtLength(
            @ForAll long seed,
            @ForAll("layouts") ParquetFile.Options layout,
            @ForAll("extras") Extras extras,
            @ForAll @IntRange(max = 3000) int rowCount)
            throws IOException {
        checkParquetJava(seed, layout, extras, rowCount);
    }

    @Property(tries = 15)
    void byDuckDb(
            @ForAll long seed,
            @ForAll("copyOptions") String options,
            @ForAll @IntRange(max = 150) int rowCount)
            throws IOException, SQLException {
        checkDuckDb(seed, options, rowCount);
    }

    @Tag("long")
    @Property(tries = 500)
    void byDuckDbAtLength(
            @ForAll long seed,
            @ForAll("copyOptions") String options,
            @ForAll @IntRange(max = 1000) int rowCount)
            throws IOException, SQLException {
        checkDuckDb(seed, options, rowCount);
    }

    /** Some columns, the first of which is the number of the row, and their rows. */
    private record Generated(
            List<RoundTripData.Column> columns, List<List<@Nullable Object>> rows) {

        static Generated of(long seed, List<RoundTripKind> kinds, int rowCount) {
            Random random = new Random(seed);
            RoundTripData data = new RoundTripData(seed, kinds);
            List<RoundTripData.Column> columns = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                columns.add(data.column("c" + i, random.nextInt(MAX_DEPTH + 1)));
            }
            int distinct = random.nextBoolean() ? 1 + random.nextInt(10) : rowCount;
            List<List<@Nullable Object>> rows = data.rows(columns, rowCount, distinct);
            columns.addFirst(
                    new RoundTripData.Column(
                            "id", new RoundTripData.Flat(RoundTripKind.INT64), false));
            List<List<@Nullable Object>> numbered = new ArrayList<>();
            for (List<@Nullable Object> row : rows) {
                List<@Nullable Object> whole = new ArrayList<>(row);
                whole.addFirst((long) numbered.size());
                numbered.add(whole);
            }
            return new Generated(columns, numbered);
        }

        List<List<@Nullable String>> texts() {
            List<List<@Nullable String>> texts = new ArrayList<>();
            for (List<@Nullable Object> row : rows) {
                List<@Nullable String> values = new ArrayList<>();
                for (int i = 0; i < columns.size(); i++) {
                    values.add(RoundTripData.text(columns.get(i), row.get(i)));
                }
                texts.add(values);
            }
            return texts;
        }
    }

    private static void checkParquetJava(
            long seed, ParquetFile.Options layout, Extras extras, int rowCount) throws IOException {
        Generated data = Generated.of(seed, ALL, rowCount);
        MessageType type =
                MessageTypeParser.parseMessageType(RoundTripData.message(data.columns()));
        List<Group> groups = new ArrayList<>();
        for (List<@Nullable Object> row : data.rows()) {
            Group group = new SimpleGroup(type);
            for (int i = 0; i < row.size(); i++) {
                RoundTripData.add(group, data.columns().get(i), row.get(i));
            }
            groups.add(group);
        }
        inTemporaryFile(
                file -> {
                    write(file, type, groups, layout, extras);
                    check(file, data, seed);
                });
    }

    private static void write(
            Path file,
            MessageType type,
            List<Group> groups,
            ParquetFile.Options layout,
            Extras extras) {
        try {
            ParquetFile.write(file, type, groups, layout, extras::apply);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void checkDuckDb(long seed, String options, int rowCount)
            throws IOException, SQLException {
        Generated data = Generated.of(seed, OF_DUCKDB, rowCount);
        String select = select(data);
        try (DuckDb duckDb = new DuckDb()) {
            inTemporaryFile(
                    file -> {
                        try {
                            duckDb.write(select, file, options);
                        } catch (SQLException e) {
                            throw new AssertionError(select, e);
                        }
                        check(file, data, seed);
                    });
        }
    }

    private static String select(Generated data) {
        if (data.rows().isEmpty()) {
            return data.columns().stream()
                    .map(c -> RoundTripData.literal(c, null) + " AS " + c.name())
                    .collect(Collectors.joining(", ", "SELECT ", " WHERE false"));
        }
        List<String> rows = new ArrayList<>();
        for (List<@Nullable Object> row : data.rows()) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                values.add(RoundTripData.literal(data.columns().get(i), row.get(i)));
            }
            rows.add("(" + String.join(", ", values) + ")");
        }
        String names =
                data.columns().stream()
                        .map(RoundTripData.Column::name)
                        .collect(Collectors.joining(", "));
        return "FROM (VALUES " + String.join(", ", rows) + ") t(" + names + ")";
    }

    private static void inTemporaryFile(Consumer<Path> test) throws IOException {
        Path file = Files.createTempFile("round", ".parquet");
        Files.delete(file);
        try {
            test.accept(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void check(Path file, Generated data, long seed) {
        Random random = new Random(seed);
        List<List<@Nullable String>> expected = data.texts();
        try (Scans scans = new Scans()) {
            Values.assertSame(scans.all(file, 1 + random.nextInt(700)), expected);
        }
        checkPart(file, data, expected, random);
        try {
            Files.write(file, MutableFile.of("", Files.readAllBytes(file)).withoutPageIndex());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        checkPart(file, data, expected, random);
    }

    /** Some rows in the middle of a row group, all of them and under a filter. */
    private static void checkPart(
            Path file, Generated data, List<List<@Nullable String>> expected, Random random) {
        try (Scans scans = new Scans()) {
            int groups = scans.format.metadata(scans.status(file)).partitionRows().size();
            if (groups == 0) {
                return;
            }
            int partition = random.nextInt(groups);
            int first = 0;
            for (int p = 0; p < partition; p++) {
                first += (int) scans.task(file, p).rows();
            }
            ScanTask task = scans.task(file, partition);
            long from = random.nextLong(task.rows() + 1);
            long to = from + random.nextLong(task.rows() - from + 1);
            List<List<@Nullable String>> rows =
                    expected.subList(first + (int) from, first + (int) to);
            int batchRows = 1 + random.nextInt(100);
            ScanTask part = Scans.rows(task, from, to);
            Values.assertSame(scans.read(part, batchRows), rows);
            for (int i = 1; i < data.columns().size(); i++) {
                Filter filter = Filter.of(i, data, task.columns().column(i).type(), random);
                if (filter != null) {
                    filter.check(scans, part, batchRows, rows);
                }
            }
        }
    }

    /** A comparison of a flat column with one of its values, or a test for null. */
    private record Filter(int column, ColumnType type, Function function, @Nullable String value) {

        static @Nullable Filter of(int column, Generated data, ColumnType type, Random random) {
            if (type.isNested() || type instanceof ColumnType.FloatingPoint) {
                return null;
            }
            List<List<@Nullable String>> texts = data.texts();
            String value =
                    texts.isEmpty() ? null : texts.get(random.nextInt(texts.size())).get(column);
            if (value == null) {
                Function test = random.nextBoolean() ? Function.IS_NULL : Function.IS_NOT_NULL;
                return new Filter(column, type, test, null);
            }
            return new Filter(column, type, Function.EQUAL, value);
        }

        private Expression expression() {
            Expression operand = new Expression.Column(column, type);
            return new Expression.Call(
                    function,
                    value == null
                            ? List.of(operand)
                            : List.of(operand, new Expression.Literal(type, value)),
                    new ColumnType.Bool());
        }

        private boolean matches(@Nullable String found) {
            return switch (function) {
                case IS_NULL -> found == null;
                case IS_NOT_NULL -> found != null;
                default -> found != null && found.equals(value);
            };
        }

        /** Rows that match come, others may; those that come are whole and in order. */
        void check(Scans scans, ScanTask task, int batchRows, List<List<@Nullable String>> rows) {
            List<List<@Nullable String>> found =
                    scans.readFiltered(task.where(expression()), batchRows);
            assertThat(rows).as("under %s", this).containsAll(found);
            assertThat(found.stream().filter(r -> matches(r.get(column))).toList())
                    .as("under %s", this)
                    .isEqualTo(rows.stream().filter(r -> matches(r.get(column))).toList());
        }
    }
}
