package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.CsvRows;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The row-number law for each kind of plan in each form: rows from an offset on are the slice that
 * the full stream has there, before anybody has counted the job and after.
 */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class PlanKindsLawTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String FILTER =
            "{`op`: `filter`, `where`: `id % 3 <> 1 AND k IS NOT NULL`}";

    @TempDir static Path folder;

    private static SpillwayServer server;

    @BeforeAll
    static void start() {
        String columns =
                """
                i AS id, CASE WHEN i %% 11 = 0 THEN NULL ELSE i %% 1000 END::INTEGER AS k,
                CASE i %% 4 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'say "' || i || '", ' END AS name,
                i / 8.0 AS x,
                CASE i %% 5 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [i, NULL, i %% 7] END AS tags
                """;
        String select = "SELECT " + columns + " FROM range(%d, %d) AS t(i)";
        Path first = write("a-1", select.formatted(0, 5000));
        Path empty = write("a-2", select.formatted(0, 0));
        Path last = write("a-3", select.formatted(5000, 8001));
        Path other = write("b", select.formatted(20_000, 22_500));
        server =
                SpillwayServer.builder()
                        .dataset("a", first, empty, last)
                        .dataset("b", other)
                        .start();
    }

    private static Path write(String name, String query) {
        return ParquetFiles.write(folder.resolve(name + ".parquet"), query, "ROW_GROUP_SIZE 2048");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                FILTER,
                "{`op`: `filter`, `where`: `id = 7777`}",
                "{`op`: `filter`, `where`: `id < 0`}",
                "{`op`: `select`, `columns`: [`id`, `k * 2 AS k2`, `name`]}",
                "{`op`: `withColumns`, `columns`: {`y`: `x + 1`}}, {`op`: `rename`, `columns`:"
                        + " {`k`: `n`}}, {`op`: `drop`, `columns`: [`tags`]}",
                "{`op`: `limit`, `rows`: 5001}",
                "{`op`: `offset`, `rows`: 4999}, {`op`: `limit`, `rows`: 2050}",
                FILTER + ", {`op`: `offset`, `rows`: 100}, {`op`: `limit`, `rows`: 3000}",
                FILTER + ", {`op`: `limit`, `rows`: 3000}, {`op`: `filter`, `where`: `k < 500`}",
                "{`op`: `union`, `with`: [{`from`: {`dataset`: `b`}}]}",
                FILTER
                        + ", {`op`: `union`, `with`: [{`from`: {`dataset`: `b`}, `steps`: ["
                        + FILTER
                        + "]}, {`from`: {`dataset`: `a`}}]}, {`op`: `filter`, `where`: `x < 2700`}",
                "{`op`: `explode`, `column`: `tags`}",
                "{`op`: `explode`, `column`: `tags`, `outer`: true}, " + FILTER,
                "{`op`: `sample`, `fraction`: 0.3, `seed`: 7}",
                FILTER + ", {`op`: `sample`, `rows`: 2500, `seed`: 7}",
                "{`op`: `rowIndex`, `name`: `i`, `start`: 10}",
                FILTER
                        + ", {`op`: `rowIndex`, `name`: `i`}, {`op`: `filter`, `where`: `i % 5 = 2"
                        + " OR i > 4000`}",
                "{`op`: `sort`, `by`: [`k DESC NULLS LAST`, `x`]}",
                FILTER
                        + ", {`op`: `sort`, `by`: [`name`, `id DESC`]}, {`op`: `filter`, `where`:"
                        + " `id % 2 = 0`}, {`op`: `rowIndex`, `name`: `i`}",
                "{`op`: `sort`, `by`: [`k`]}, {`op`: `limit`, `rows`: 4000}, {`op`: `sort`, `by`:"
                        + " [`id`]}, {`op`: `explode`, `column`: `tags`}, {`op`: `limit`, `rows`:"
                        + " 3000}",
                "{`op`: `sort`, `by`: [`k`]}, {`op`: `union`, `with`: [{`from`: {`dataset`: `b`},"
                        + " `steps`: ["
                        + FILTER
                        + ", {`op`: `sort`, `by`: [`x DESC`]}]}, {`from`: {`dataset`: `a`}}]}",
                "{`op`: `sort`, `by`: [`name`]}, {`op`: `sample`, `rows`: 3000, `seed`: 3},"
                        + " {`op`: `rowIndex`, `name`: `i`}, {`op`: `sort`, `by`: [`x`]}",
                "sql: SELECT id, x, name FROM a WHERE k > 100 ORDER BY name DESC, id",
                "{`op`: `repartition`, `partitions`: 7}",
                FILTER + ", {`op`: `repartition`, `rowsPerPartition`: 1000}",
                "sql: SELECT id, x, name FROM a WHERE k > 100",
                "sql: SELECT id, name FROM a WHERE k > 900 UNION ALL SELECT id + 1, name FROM b"
            })
    void rowsFromAnOffsetAreTheSliceOfAll(String kind) {
        String plan = plan(kind);
        String read = server.submit(plan);
        List<String> lines = whole(RowForm.NDJSON, read);
        Map<RowForm, List<String>> all = new EnumMap<>(RowForm.class);
        for (RowForm form : RowForm.values()) {
            all.put(form, whole(form, read));
        }
        all.forEach(
                (form, rows) -> {
                    assertThat(rows).as("%s", form).hasSameSizeAs(lines);
                    // Of a job of which nothing is known yet.
                    check(form, server.submit(plan), rows, lines.size() / 2 + 17, 40);
                    check(form, read, rows, lines.size() * 2L / 3, 2_500);
                });
        assertThat(all).containsEntry(RowForm.JSON, lines).containsEntry(RowForm.EVENTS, lines);
        assertThat(fields(read)).isEqualTo(cells(read));

        String counted = server.submit(plan);
        assertThat(count(counted)).isEqualTo(lines.size());
        all.forEach(
                (form, rows) -> {
                    for (long offset : offsets(lines.size())) {
                        check(form, counted, rows, offset, 100);
                    }
                    check(form, counted, rows, 1, 9_000);
                });
    }

    private static String plan(String kind) {
        return kind.startsWith("sql: ")
                ? "{\"from\": {\"sql\": \"" + kind.substring("sql: ".length()) + "\"}}"
                : ("{`from`: {`dataset`: `a`}, `steps`: [" + kind + "]}").replace('`', '"');
    }

    private static void check(RowForm form, String job, List<String> all, long offset, long limit) {
        assertThat(form.rows(server.port(), job, "offset=" + offset + "&limit=" + limit))
                .as("%s from %d on", form, offset)
                .isEqualTo(slice(all, offset, limit));
    }

    /** A page has a cap, a stream has none. */
    private static List<String> whole(RowForm form, String job) {
        if (form != RowForm.JSON) {
            return form.rows(server.port(), job, "");
        }
        List<String> rows = new ArrayList<>();
        while (true) {
            List<String> page = form.rows(server.port(), job, "limit=4000&offset=" + rows.size());
            rows.addAll(page);
            if (page.size() < 4_000) {
                return rows;
            }
        }
    }

    private static List<String> slice(List<String> all, long offset, long limit) {
        int from = (int) Math.min(offset, all.size());
        return all.subList(from, (int) (from + Math.min(limit, all.size() - from)));
    }

    /** Borders of batches, row groups and files; the end; far beyond it. */
    private static Set<Long> offsets(int total) {
        Set<Long> offsets = new TreeSet<>(List.of(0L, 2_047L, 4_999L, Long.MAX_VALUE));
        offsets.add(Math.max(0, total - 50L));
        offsets.add((long) total);
        return offsets;
    }

    private static long count(String job) {
        HttpAnswer answer = server.http().post("/v1/jobs/" + job + ":count", JSON, "{}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text()).required("rowCount").longValue();
    }

    /** The plain columns of CSV, as they come. */
    private static List<String> fields(String job) {
        CsvRows csv =
                CsvRows.parse(
                        server.http()
                                .get("/v1/jobs/" + job + "/rows?limit=500", "text/csv")
                                .text());
        return csv.rows().stream().map(List::toString).toList();
    }

    /** The same of NDJSON: a number's digits, a text's characters, a list's JSON. */
    private static List<String> cells(String job) {
        return server.lines(job, "limit=500&rows=arrays").stream()
                .map(line -> cellsOf(MAPPER.readTree(line)))
                .toList();
    }

    private static String cellsOf(JsonNode row) {
        List<String> cells = new ArrayList<>();
        row.forEach(
                v -> cells.add(v.isNull() ? null : v.isString() ? v.stringValue() : v.toString()));
        return cells.toString();
    }
}
