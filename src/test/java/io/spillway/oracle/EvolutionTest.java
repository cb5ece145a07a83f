package io.spillway.oracle;

import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/**
 * Files whose columns come in any order, are missing, or have types of different widths read as
 * DuckDB reads them by {@code union_by_name}.
 */
class EvolutionTest {

    /** Types that widen into each other with the same values in both engines. */
    private static final List<List<String>> FAMILIES =
            List.of(
                    List.of("INTEGER", "TINYINT", "SMALLINT", "BIGINT"),
                    List.of("INTEGER", "UTINYINT", "USMALLINT", "UINTEGER", "TINYINT", "BIGINT"),
                    List.of("DOUBLE", "FLOAT"),
                    List.of("FLOAT", "TINYINT", "SMALLINT"),
                    List.of("DOUBLE", "INTEGER", "UINTEGER"),
                    List.of("DECIMAL(5,2)", "DECIMAL(9,4)", "DECIMAL(18,0)", "INTEGER", "TINYINT"),
                    List.of("TIMESTAMP", "DATE"),
                    List.of("TIMESTAMP_NS", "TIMESTAMP", "DATE"),
                    List.of("VARCHAR"),
                    List.of("BOOLEAN"));

    private static final List<String> NAMES = List.of("a", "b", "c", "odd name");

    private static final Pattern NAME = Pattern.compile("AS \"([^\"]*)\"");

    private static @Nullable Path folder;
    private static @Nullable SpillwayServer server;

    @BeforeContainer
    static void start() throws IOException {
        Path root = Files.createTempDirectory("spillway-evolution").toRealPath();
        folder = root;
        server = SpillwayServer.builder().root(root).start();
    }

    @AfterContainer
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
        if (folder != null) {
            Files.delete(folder);
        }
    }

    @Provide
    Arbitrary<Choices> choices() {
        return Choices.sequences(200);
    }

    @Property(tries = 40)
    void filesThatDifferAreReadAsTheJudgeReadsThem(@ForAll("choices") Choices choices) {
        compare(choices);
    }

    @Property(tries = 2000)
    @Tag("long")
    void manyFilesThatDifferAreReadAsTheJudgeReadsThem(@ForAll("choices") Choices choices) {
        compare(choices);
    }

    private static void compare(Choices choices) {
        List<String> contents = files(choices);
        String filter = filter(choices, names(contents));
        List<Path> files = new ArrayList<>();
        try (DuckDb duckdb = new DuckDb()) {
            for (int i = 0; i < contents.size(); i++) {
                Path file = root().resolve(System.nanoTime() + "-" + i + ".parquet");
                files.add(file);
                duckdb.execute(
                        "COPY (%s) TO '%s' (FORMAT parquet)".formatted(contents.get(i), file));
            }
            String judged =
                    """
                    SELECT * EXCLUDE (__file, file_row_number),
                        __file || '/' || lpad(file_row_number::VARCHAR, 9, '0') AS "%s"
                    FROM read_parquet([%s],
                        union_by_name = true, filename = '__file', file_row_number = true)
                    WHERE %s
                    """
                            .formatted(
                                    QueryCase.ROW,
                                    files.stream()
                                            .map(f -> "'" + f + "'")
                                            .collect(Collectors.joining(", ")),
                                    filter);
            RowComparison.assertExact(
                    service().ndjson(plan(files, filter)), names(contents), duckdb.rows(judged));
        } finally {
            files.forEach(EvolutionTest::delete);
        }
    }

    private static String plan(List<Path> files, String filter) {
        return "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [%s]}}, \"steps\": [{\"op\": \"filter\", \"where\": \"%s\"}]}"
                .formatted(
                        files.stream().map(f -> "\"" + f + "\"").collect(Collectors.joining(", ")),
                        filter.replace("\"", "\\\""));
    }

    /** A query for each file, each with the column {@code id} beside its own ones. */
    private static List<String> files(Choices choices) {
        Map<String, List<String>> families = new LinkedHashMap<>();
        NAMES.forEach(name -> families.put(name, choices.pick(FAMILIES)));
        List<String> files = new ArrayList<>();
        for (int i = 0; i < 2 + choices.below(3); i++) {
            List<String> present = new ArrayList<>(List.of("id"));
            for (String name : NAMES) {
                if (!choices.chance(30)) {
                    present.add(choices.below(present.size() + 1), name);
                }
            }
            int rows = choices.below(4);
            List<String> columns = new ArrayList<>();
            for (String name : present) {
                String type =
                        name.equals("id")
                                ? choices.oneOf("BIGINT", "INTEGER", "SMALLINT")
                                : choices.pick(families.getOrDefault(name, List.of()));
                List<String> values = new ArrayList<>(List.of("NULL"));
                for (int row = 0; row < rows; row++) {
                    values.add(name.equals("id") ? "" + (10 * i + row) : value(type, choices));
                }
                columns.add(
                        "unnest([%s]::VARCHAR[])::%s AS \"%s\""
                                .formatted(String.join(", ", values), type, name));
            }
            files.add(
                    "SELECT * FROM (SELECT %s) WHERE id IS NOT NULL"
                            .formatted(String.join(", ", columns)));
        }
        return files;
    }

    private static String value(String type, Choices choices) {
        if (choices.chance(20)) {
            return "NULL";
        }
        return "'"
                + switch (type) {
                    case "TINYINT" -> choices.oneOf("0", "1", "-128", "127");
                    case "SMALLINT" -> choices.oneOf("0", "7", "-32768", "32767");
                    case "INTEGER" -> choices.oneOf("0", "7", "-2147483648", "2147483647");
                    case "BIGINT" -> choices.oneOf("0", "7", "-9223372036854775808", "5000000000");
                    case "UTINYINT" -> choices.oneOf("0", "255");
                    case "USMALLINT" -> choices.oneOf("0", "65535");
                    case "UINTEGER" -> choices.oneOf("0", "4294967295");
                    case "FLOAT" -> choices.oneOf("0", "0.1", "-3.4e38", "NaN", "-Infinity");
                    case "DOUBLE" -> choices.oneOf("0", "0.1", "1e300", "NaN", "5e-324");
                    case "DECIMAL(5,2)" -> choices.oneOf("0", "1.50", "-999.99");
                    case "DECIMAL(9,4)" -> choices.oneOf("0", "0.0001", "-99999.9999");
                    case "DECIMAL(18,0)" -> choices.oneOf("0", "999999999999999999");
                    case "DATE" -> choices.oneOf("1970-01-01", "2024-02-29", "1900-12-31");
                    case "TIMESTAMP" ->
                            choices.oneOf("2024-01-01 00:00:00", "1969-12-31 23:59:59.999999");
                    case "TIMESTAMP_NS" -> choices.oneOf("2024-01-01 00:00:00.000000001");
                    case "BOOLEAN" -> choices.oneOf("true", "false");
                    default -> choices.oneOf("", "a", "S\u00e3o");
                }
                + "'";
    }

    /** A condition over columns that one of the files has. */
    private static String filter(Choices choices, List<String> names) {
        String name = choices.pick(names);
        return choices.oneOf(
                        "true",
                        "id > 10",
                        "id = 20 OR id < 2",
                        "\"%s\" IS NULL",
                        "\"%s\" IS NOT NULL AND id < 30")
                .formatted(name);
    }

    /** Columns in the order of appearance. */
    private static List<String> names(List<String> contents) {
        return contents.stream()
                .flatMap(c -> NAME.matcher(c).results())
                .map(m -> m.group(1))
                .distinct()
                .toList();
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        if (folder == null) {
            throw new AssertionError("there is no folder");
        }
        return folder;
    }

    private static SpillwayServer service() {
        if (server == null) {
            throw new AssertionError("the service did not start");
        }
        return server;
    }
}
