package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.CsvRows;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.PlanKinds;
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
import org.junit.jupiter.params.provider.MethodSource;
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

    @TempDir static Path folder;

    private static SpillwayServer server;

    @BeforeAll
    static void start() {
        server = PlanKinds.serve(folder).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<String> plans() {
        return PlanKinds.all();
    }

    @ParameterizedTest
    @MethodSource("plans")
    void rowsFromAnOffsetAreTheSliceOfAll(String plan) {
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
