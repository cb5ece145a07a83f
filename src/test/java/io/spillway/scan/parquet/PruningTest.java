package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Cast;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.Function;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanTask;
import io.spillway.scan.pruning.PruningPredicate;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that filter pushdown is known for, each with the rows that are right. */
class PruningTest {

    @TempDir Path folder;
    private final Scans scans = new Scans();
    private final Filtered filtered = new Filtered(scans);
    private Path file = Path.of("");

    @AfterEach
    void close() {
        scans.close();
    }

    private static Path sample(String name) {
        return Path.of(
                Objects.requireNonNull(
                                PruningTest.class.getResource("/parquet-testing/data/" + name))
                        .getPath());
    }

    private Expression compare(String column, Function function, String value) {
        return filtered.compare(file, column, function, value);
    }

    private List<@Nullable String> only(String column, Expression filter) {
        RowSchema schema = filtered.schema(file);
        int index = schema.indexOf(column);
        List<List<@Nullable String>> told = filtered.rows(file, filter, schema, true);
        assertThat(told).isEqualTo(filtered.rows(file, filter, schema, false));
        List<@Nullable String> values = new ArrayList<>();
        told.forEach(row -> values.add(row.get(index)));
        return values;
    }

    private long pruned(Pruned.By by) {
        return filtered.told().sum(by);
    }

    @Test
    void columnsWithOtherPageBordersKeepTheirRows() throws IOException {
        file = folder.resolve("borders.parquet");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            rows.add(Arrays.asList(i < 8 || i == 39 ? 1L : 7L, i * 10));
        }
        // Pages of 64 bytes: 8 numbers of one column, 16 of the other.
        IndexedFile.write(
                file,
                "message m { required int64 k; required int32 v; }",
                rows,
                b -> b.withDictionaryEncoding(false).withPageSize(64));
        Expression one = compare("k", Function.EQUAL, "1");

        assertThat(only("v", one))
                .containsExactly("0", "10", "20", "30", "40", "50", "60", "70", "390");
        Pruned pages = filtered.told().pruned.element();
        assertThat(pages.by()).isEqualTo(Pruned.By.PAGE_INDEX);
        assertThat(pages.rows()).isEqualTo(24);
        assertThat(pages.pages()).isEqualTo(3 + 1);
    }

    @Test
    void statisticsLeaveNaNOut() throws IOException {
        file = folder.resolve("nan.parquet");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Double x : Arrays.asList(7.25, Double.NaN, 7.25, null)) {
            rows.add(Collections.singletonList(x));
        }
        IndexedFile.write(file, "message m { optional double x; }", rows, b -> b);
        Expression equal = compare("x", Function.EQUAL, "7.25");

        assertThat(only("x", compare("x", Function.NOT_EQUAL, "7.25"))).containsExactly("NaN");
        assertThat(only("x", Filtered.call(Function.NOT, equal))).containsExactly("NaN");
        assertThat(only("x", compare("x", Function.GREATER, "100.0"))).containsExactly("NaN");
        assertThat(only("x", equal)).containsExactly("7.25", "7.25");
        assertThat(only("x", Filtered.call(Function.IS_NOT_NULL, filtered.column(file, "x"))))
                .containsExactly("7.25", "NaN", "7.25");
    }

    @Test
    void duckDbsStatisticsLeaveNaNOutToo() throws Exception {
        file = folder.resolve("duck.parquet");
        try (DuckDb duck = new DuckDb()) {
            duck.write(
                    "SELECT * FROM (VALUES (7.25::DOUBLE), ('NaN'), (7.25), (NULL)) t(x)",
                    file,
                    "compression zstd");
        }
        assertThat(only("x", compare("x", Function.NOT_EQUAL, "7.25"))).containsExactly("NaN");
        assertThat(only("x", compare("x", Function.GREATER, "100.0"))).containsExactly("NaN");
    }

    @Test
    void statisticsThatAreNaNSayNothing() {
        file = sample("nan_in_stats.parquet");
        assertThat(only("x", compare("x", Function.EQUAL, "1.0"))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"EQUAL,1.0", "EQUAL,NaN", "GREATER,100.0", "LESS,0.0", "EQUAL,-0.0", "NOT_EQUAL,0"})
    void floatsInTotalOrderAreFound(Function function, String value) {
        file = sample("floating_orders_nan_count.parquet");
        for (String name : filtered.schema(file).names()) {
            if (filtered.column(file, name).type() instanceof ColumnType.FloatingPoint) {
                only(name, compare(name, function, value));
            }
        }
    }

    @Test
    void aBloomFilterIsThatOfItsOwnRowGroupAndOfItsOwnBytes() throws IOException {
        file = folder.resolve("bloom.parquet");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        String[] d = {"10.250", "20.500", "70.750", "99.990"};
        int[] id = {11, 12, 57, 58};
        for (int i = 0; i < id.length; i++) {
            rows.add(Arrays.asList(id[i], decimal(d[i])));
        }
        IndexedFile.write(
                file,
                """
                message m {
                  required int32 id;
                  required fixed_len_byte_array(9) d (DECIMAL(20,3));
                }
                """,
                rows,
                b ->
                        b.withStatisticsEnabled(false)
                                .withDictionaryEncoding(false)
                                .withRowGroupRowCountLimit(2)
                                .withBloomFilterEnabled(true)
                                .withBloomFilterNDV("id", 100)
                                .withBloomFilterNDV("d", 100));

        assertThat(only("id", compare("id", Function.EQUAL, "57"))).containsExactly("57");
        assertThat(only("id", compare("d", Function.EQUAL, "70.750"))).containsExactly("57");
        assertThat(only("id", filtered.in(file, "id", "11", "58"))).containsExactly("11", "58");
        assertThat(pruned(Pruned.By.BLOOM_FILTER)).isEqualTo(2);
        assertThat(only("id", compare("id", Function.EQUAL, "40"))).isEmpty();
        assertThat(only("id", compare("d", Function.EQUAL, "-1.000"))).isEmpty();
        assertThat(pruned(Pruned.By.BLOOM_FILTER)).isEqualTo(6);

        ColumnType wide = new ColumnType.Int(64, true);
        Expression widened =
                Filtered.call(
                        Function.EQUAL,
                        new Cast(filtered.column(file, "id"), wide, false),
                        new Literal(wide, "57"));
        assertThat(only("id", widened)).containsExactly("57");
        assertThat(pruned(Pruned.By.BLOOM_FILTER)).isEqualTo(7);
    }

    private static byte[] decimal(String text) {
        byte[] least = new BigDecimal(text).unscaledValue().toByteArray();
        byte[] plain = new byte[9];
        System.arraycopy(least, 0, plain, plain.length - least.length, least.length);
        return plain;
    }

    @Test
    void aDictionaryThatWasGivenUpTellsNothing() throws IOException {
        file = folder.resolve("fallback.parquet");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            rows.add(List.of(i == 1_999 ? "zz" : i < 1_000 ? "v" + i % 3 : "x" + i));
        }
        IndexedFile.write(
                file,
                "message m { required binary s (STRING); }",
                rows,
                b ->
                        b.withStatisticsEnabled(false)
                                .withDictionaryPageSize(200)
                                .withPageRowCountLimit(100));

        assertThat(only("s", compare("s", Function.EQUAL, "zz"))).containsExactly("zz");
        assertThat(pruned(Pruned.By.DICTIONARY)).isZero();
    }

    @Test
    void aDictionaryThatHasAllValuesRulesOthersOut() throws IOException {
        file = folder.resolve("dictionary.parquet");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            rows.add(Arrays.asList(i % 11 == 0 ? null : "v" + i % 3, i * 31L));
        }
        IndexedFile.write(
                file,
                "message m { optional binary s (STRING); required int64 n; }",
                rows,
                b -> b.withStatisticsEnabled(false));

        assertThat(only("s", compare("s", Function.EQUAL, "v3"))).isEmpty();
        assertThat(pruned(Pruned.By.DICTIONARY)).isEqualTo(1);
        assertThat(only("s", compare("s", Function.EQUAL, "v2"))).hasSize(1_514).containsOnly("v2");
        assertThat(only("s", Filtered.call(Function.IS_NULL, filtered.column(file, "s"))))
                .hasSize(455);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data_index_bloom_encoding_stats.parquet",
                "data_index_bloom_encoding_with_length.parquet"
            })
    void bloomFiltersOfOtherWritersAreRead(String name) {
        file = sample(name);
        assertThat(only("String", compare("String", Function.EQUAL, "Hello"))).hasSize(1);
        assertThat(only("String", compare("String", Function.EQUAL, "Hellp"))).isEmpty();
        assertThat(pruned(Pruned.By.BLOOM_FILTER)).isEqualTo(1);
    }

    @Test
    void duckDbsBloomFiltersAreRead() throws Exception {
        file = folder.resolve("duckbloom.parquet");
        try (DuckDb duck = new DuckDb()) {
            duck.write(
                    "SELECT (i * 7919) % 100003 AS k, 't' || (i * 7919) % 100003 AS s"
                            + " FROM range(20000) t(i)",
                    file, "row_group_size 5000, dictionary_size_limit 100000");
        }
        only("k", compare("k", Function.EQUAL, "7919"));
        assertThat(only("s", compare("s", Function.EQUAL, "t7919"))).containsExactly("t7919");
        only("s", compare("s", Function.EQUAL, "t79"));
    }

    @Test
    void cutTextsAreBoundsButNotValues() {
        file = sample("binary_truncated_min_max.parquet");
        for (String name : filtered.schema(file).names()) {
            for (List<@Nullable String> row : scans.all(file, 100)) {
                String value = row.get(filtered.schema(file).indexOf(name));
                if (value != null) {
                    assertThat(only(name, compare(name, Function.EQUAL, value))).isNotEmpty();
                    only(name, compare(name, Function.NOT_EQUAL, value));
                    only(name, compare(name, Function.GREATER, value));
                }
            }
        }
    }

    @Test
    void longCommonPrefixesAreCutWithCare() throws IOException {
        file = folder.resolve("prefixes.parquet");
        String prefix = "p".repeat(200);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            rows.add(List.of(prefix + (char) ('a' + i / 100) + i));
        }
        IndexedFile.write(
                file,
                "message m { required binary s (STRING); }",
                rows,
                b ->
                        b.withPageRowCountLimit(10)
                                .withRowGroupRowCountLimit(100)
                                .withColumnIndexTruncateLength(16)
                                .withStatisticsTruncateLength(16));

        assertThat(only("s", compare("s", Function.EQUAL, prefix + "b150")))
                .containsExactly(prefix + "b150");
        assertThat(only("s", compare("s", Function.GREATER, prefix + "c"))).hasSize(100);
        assertThat(only("s", compare("s", Function.EQUAL, "q"))).isEmpty();
        assertThat(pruned(Pruned.By.STATISTICS)).isEqualTo(3);
    }

    @Test
    void nullPagesAreRuledOutAndFound() {
        file = sample("int32_with_null_pages.parquet");
        String name = filtered.schema(file).column(0).name();
        int rows = scans.all(file, 100).size();
        Expression isNull = Filtered.call(Function.IS_NULL, filtered.column(file, name));

        int nulls = only(name, isNull).size();
        assertThat(nulls).isPositive();
        assertThat(only(name, Filtered.call(Function.NOT, isNull))).hasSize(rows - nulls);
        assertThat(filtered.told().pruned).isNotEmpty();
        only(name, compare(name, Function.GREATER, "0"));
        only(name, compare(name, Function.LESS_OR_EQUAL, "0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"alltypes_tiny_pages.parquet", "alltypes_tiny_pages_plain.parquet"})
    void tinyPagesAreFoundByTheirIndex(String name) {
        file = sample(name);
        assertThat(only("id", compare("id", Function.EQUAL, "7000"))).hasSize(1);
        only("int_col", compare("int_col", Function.EQUAL, "3"));
        only("double_col", compare("double_col", Function.GREATER, "80.0"));
        only("string_col", compare("string_col", Function.LESS, "2"));
        only("bool_col", compare("bool_col", Function.EQUAL, "true"));
    }

    @Test
    void sortedFilesAreRuledOut() {
        file = sample("sort_columns.parquet");
        for (String name : filtered.schema(file).names()) {
            Expression column = filtered.column(file, name);
            only(name, Filtered.call(Function.IS_NULL, column));
            String value = column.type() instanceof ColumnType.Utf8 ? "b" : "2";
            for (Function f : List.of(Function.EQUAL, Function.LESS, Function.GREATER)) {
                only(name, compare(name, f, value));
            }
        }
    }

    @Test
    void unsignedNumbersCompareUnsigned() throws IOException {
        file = folder.resolve("unsigned.parquet");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            rows.add(Arrays.asList(i < 4 ? i : -1 - i, i < 4 ? (long) i : -1L - i));
        }
        IndexedFile.write(
                file,
                "message m { required int32 u (UINT_32); required int64 w (UINT_64); }",
                rows,
                b -> b.withPageRowCountLimit(2).withRowGroupRowCountLimit(4));
        Expression large = compare("u", Function.GREATER, "4000000000");
        assertThat(only("u", large)).hasSize(4);
        assertThat(pruned(Pruned.By.STATISTICS)).isEqualTo(1);
        assertThat(only("w", compare("w", Function.GREATER, "9223372036854775808"))).hasSize(4);
        assertThat(only("w", compare("w", Function.EQUAL, "18446744073709551608"))).hasSize(1);
        assertThat(pruned(Pruned.By.STATISTICS)).isEqualTo(3);
    }

    @Test
    void decimalsInBytesCompareAsNumbers() throws IOException {
        file = folder.resolve("decimals.parquet");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = -4; i < 4; i++) {
            byte[] bytes = new BigDecimal(i * 1000).unscaledValue().toByteArray();
            rows.add(List.of(bytes));
        }
        IndexedFile.write(
                file,
                "message m { required binary d (DECIMAL(20,3)); }",
                rows,
                b -> b.withPageRowCountLimit(1).withRowGroupRowCountLimit(4));
        assertThat(only("d", compare("d", Function.LESS, "-3.000"))).containsExactly("-4.000");
        assertThat(pruned(Pruned.By.STATISTICS)).isEqualTo(1);
        assertThat(only("d", compare("d", Function.GREATER, "1.000")))
                .containsExactly("2.000", "3.000");
        assertThat(only("d", compare("d", Function.EQUAL, "-1.000"))).containsExactly("-1.000");
    }

    @Test
    void deprecatedStatisticsAreTrustedForSignedNumbersOnly() throws Exception {
        file = sample("alltypes_plain.parquet");
        for (String name : filtered.schema(file).names()) {
            Expression column = filtered.column(file, name);
            for (List<@Nullable String> row : scans.all(file, 100)) {
                String value = row.get(filtered.schema(file).indexOf(name));
                if (value != null && !(column.type() instanceof ColumnType.Timestamp)) {
                    assertThat(only(name, compare(name, Function.EQUAL, value))).isNotEmpty();
                }
            }
        }
    }

    @Test
    void planningPrunesByCachedFootersAlone() throws IOException {
        file = folder.resolve("groups.parquet");
        IndexedFile.write(
                file,
                "message m { required int32 i; }",
                IntStream.range(0, 1_000)
                        .<List<@Nullable Object>>mapToObj(i -> List.of(i))
                        .toList(),
                b -> b.withRowGroupRowCountLimit(100));
        PruningPredicate filter =
                PruningPredicate.of(compare("i", Function.GREATER_OR_EQUAL, "750"));
        FileStatus status = scans.status(file);
        RowSchema schema = filtered.schema(file);

        assertThat(scans.format.prune(status, schema, filter).stream())
                .containsExactly(0, 1, 2, 3, 4, 5, 6);
        Scans cold = new Scans();
        assertThat(cold.format.prune(status, schema, filter).isEmpty()).isTrue();
        cold.close();
    }

    @Test
    void partsOfRowGroupsKeepTheirRows() throws IOException {
        file = folder.resolve("slices.parquet");
        IndexedFile.write(
                file,
                "message m { required int32 i; required binary s (STRING); }",
                IntStream.range(0, 1_000)
                        .<List<@Nullable Object>>mapToObj(i -> List.of(i, "s" + i % 7))
                        .toList(),
                b -> b.withPageRowCountLimit(10));
        Expression filter =
                Filtered.call(
                        Function.OR,
                        compare("i", Function.LESS, "25"),
                        compare("i", Function.GREATER, "970"));
        ScanTask task = scans.task(file, 0);
        for (long from : new long[] {0, 3, 24, 25, 500, 971, 999}) {
            for (long to : new long[] {from, from + 1, 26, 990, 1_000}) {
                if (to >= from) {
                    ScanTask part = task.between(from, to);
                    assertThat(filtered.matching(part.where(filter), filter, 5))
                            .isEqualTo(filtered.matching(part, filter, 5));
                }
            }
        }
    }
}
