package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.operator.aggregate.AggregateFunction;
import io.spillway.operator.window.WindowFunction;
import io.spillway.plan.logical.FunctionEntries.Entry;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page on functions is made of the functions that there are: every one has an entry, every
 * example is run. With {@code -Dfunctions.write=true} the page is written anew.
 */
class FunctionsPageTest {

    private static final Path PAGE = Path.of("docs", "functions.md");
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The row that examples of functions of one row see. */
    private static final String ONE_ROW = " WHERE id = 2";

    private static SpillwayServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        Path root = folder.toRealPath();
        Path file = root.resolve("orders.parquet");
        ParquetFiles.write(
                file,
                "SELECT i AS id, ['Lisboa', 'Porto', NULL][1 + i % 3] AS city, i * 1.5::DOUBLE AS"
                        + " price, ['gift', 'red', 'blue'][1:1 + i % 3] AS tags, {'zip': 1000 + i,"
                        + " 'town': 'x'} AS place FROM range(4) r(i)");
        server = SpillwayServer.builder().root(root).dataset("orders", file).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyFunctionHasAnEntry() {
        List<Entry> scalars =
                FunctionEntries.scalars().values().stream().flatMap(List::stream).toList();
        assertThat(primary(scalars, ScalarFunctions.byName()))
                .isEqualTo(names(ScalarFunctions.byName()));
        assertThat(primary(FunctionEntries.aggregates(), GroupFunctions.aggregatesByName()))
                .isEqualTo(names(GroupFunctions.aggregatesByName()));
        assertThat(primary(FunctionEntries.windows(), GroupFunctions.windowsByName()))
                .isEqualTo(names(GroupFunctions.windowsByName()));
    }

    @Test
    void everyFunctionOfTheEngineHasAName() {
        Set<AggregateFunction> aggregates = EnumSet.noneOf(AggregateFunction.class);
        GroupFunctions.aggregatesByName()
                .values()
                .forEach(f -> aggregates.add(GroupFunctions.aggregate(f)));
        aggregates.add(AggregateFunction.COUNT_ROWS); // COUNT(*)
        aggregates.add(AggregateFunction.SINGLE_VALUE); // a query in place of a value
        assertThat(aggregates).isEqualTo(EnumSet.allOf(AggregateFunction.class));
        Set<String> windows = new TreeSet<>(GroupFunctions.windowsByName().keySet());
        windows.addAll(GroupFunctions.aggregatesByName().keySet());
        windows.add(WindowFunction.COUNT_ROWS.name()); // COUNT(*)
        for (WindowFunction function : WindowFunction.values()) {
            assertThat(windows).contains(function.name());
        }
    }

    /** One name of each function with an entry. */
    private static Set<String> primary(
            List<Entry> entries, Map<String, ? extends SqlOperator> functions) {
        Set<String> operators = new TreeSet<>();
        for (Entry entry : entries) {
            assertThat(functions).containsKey(entry.name());
            operators.add(Objects.requireNonNull(functions.get(entry.name())).getName());
        }
        assertThat(operators).as("entries without doubles").hasSize(entries.size());
        return operators;
    }

    private static Set<String> names(Map<String, ? extends SqlOperator> functions) {
        Set<String> operators = new TreeSet<>();
        functions.values().forEach(f -> operators.add(f.getName()));
        return operators;
    }

    @Test
    void thePageIsWhatTheCodeSays() throws IOException {
        StringBuilder page =
                new StringBuilder(
                        """
                        # Functions

                        What [expressions and queries](plans.md) may use; nothing else is. Names are found in any case. A null argument gives null
                        where nothing else is said. A value that a function has no result for is an error that tells the value; nothing wraps
                        around, is cut or guessed; floats follow IEEE 754. Every example is run by the test that makes this page, over a dataset `orders` with the
                        columns `id` (0 to 3), `city`, `price`, `tags` (a list of texts) and `place` (a struct of `zip` and `town`).

                        Regular expressions are those of [RE2](https://github.com/google/re2/wiki/Syntax), which take time in proportion to the
                        text; patterns, units of time, paths and names of fields are literals.
                        """);
        section(page, "Forms", FunctionEntries.forms(), Map.of(), ONE_ROW);
        FunctionEntries.scalars()
                .forEach(
                        (name, entries) ->
                                section(page, name, entries, ScalarFunctions.byName(), ONE_ROW));
        page.append(
                """

                Patterns of `STRFTIME` and `STRPTIME`: `%Y` year, `%y` its last two digits, `%m` month, `%b` `%B` its name, `%d` day,
                `%j` day of the year, `%a` `%A` day of the week, `%w` `%u` its number, `%G` `%V` year and week of ISO 8601, `%H` hour,
                `%I` `%p` hour of twelve with AM or PM, `%M` minute, `%S` second, `%g` `%f` `%n` milli-, micro- and nanoseconds, `%%` a
                percent sign. A hyphen, as in `%-d`, leaves zeros in front out. Weeks cannot be read.
                """);
        section(
                page,
                "Aggregates",
                FunctionEntries.aggregates(),
                GroupFunctions.aggregatesByName(),
                "");
        page.append(
                """

                `FILTER (WHERE …)` behind an aggregate leaves rows out. Nulls are left out where nothing else is said.
                """);
        section(page, "Windows", FunctionEntries.windows(), GroupFunctions.windowsByName(), "");
        page.append(
                """

                With `OVER`, `SUM`, `AVG`, `COUNT`, `MIN`, `MAX`, `FIRST` and `LAST` go over the rows of the frame.
                """);
        if (Boolean.getBoolean("functions.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE))
                .as("a page made of other code: run this test with -Dfunctions.write=true")
                .isEqualTo(page.toString());
    }

    private static void section(
            StringBuilder page,
            String title,
            List<Entry> entries,
            Map<String, ? extends SqlOperator> functions,
            String rows) {
        page.append(
                """

                ## %s

                | function | gives | example | is |
                |---|---|---|---|
                """
                        .formatted(title));
        for (Entry entry : entries) {
            List<String> others = new ArrayList<>();
            functions.forEach(
                    (name, operator) -> {
                        boolean same =
                                operator.equals(functions.get(entry.name()))
                                        && !name.equals(entry.name());
                        if (same) {
                            others.add(name);
                        }
                    });
            String line = entry.line() + (others.isEmpty() ? "" : "; also " + codes(others));
            page.append(
                    "| %s | %s | %s | %s |%n"
                            .formatted(
                                    code(entry.signature()),
                                    line.replace("|", "\\|"),
                                    code(entry.example()),
                                    code(result(entry.example(), rows))));
        }
    }

    private static String codes(List<String> names) {
        return String.join(
                ", ", new TreeSet<>(names).stream().map(FunctionsPageTest::code).toList());
    }

    private static String code(String text) {
        return "`" + text.replace("|", "\\|") + "`";
    }

    /** What an expression gives over rows of the dataset. */
    private static String result(String expression, String rows) {
        String sql = "SELECT %s AS answer FROM orders%s".formatted(expression, rows);
        String plan = JSON.writeValueAsString(Map.of("from", Map.of("sql", sql)));
        List<String> results = new ArrayList<>();
        for (String row : server.ndjson(plan)) {
            results.add(JSON.readTree(row).get("answer").toString());
        }
        return String.join(", ", results);
    }
}
