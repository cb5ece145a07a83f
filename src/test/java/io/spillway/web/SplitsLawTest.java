package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.PlanKinds;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * For each kind of plan: however a job is split, the splits in their order are all of its rows,
 * each once, whoever reads which first, and however splits are divided again.
 */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class SplitsLawTest {

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
    void splitsAreAllRowsEachOnce(String plan) {
        String first = server.submit(plan);
        List<String> all = RowForm.NDJSON.rows(server.port(), first, "");
        for (int count : List.of(1, 3, 40)) {
            String job = server.submit(plan);
            check(all, job, splits(job, "{\"count\": " + count + "}"), RowForm.NDJSON);
        }
        String job = server.submit(plan);
        JsonNode uncounted = splits(job, "{\"count\": 4}");
        whatIsNotKnownIsRefused(job, uncounted.get("splits").get(0));
        divided(all, job, uncounted);
        count(job);
        for (RowForm form : RowForm.values()) {
            check(whole(form, job, all), job, uncounted, form);
        }
        for (String how :
                List.of(
                        "{\"count\": 5}",
                        "{\"targetRows\": 1000}",
                        "{\"count\": 5, \"equalRows\": true}",
                        "{\"targetRows\": 700, \"equalRows\": \"exact\", \"alignTo\": 96}",
                        "{\"count\": 4, \"alignTo\": 100}")) {
            JsonNode splits = splits(job, how);
            check(all, job, splits, RowForm.NDJSON);
            assertThat(splits.get("droppedRows").longValue()).isZero();
            assertThat(splits.get("repeatedRows").longValue()).isZero();
        }
        divided(all, job, splits(job, "{\"count\": 3, \"equalRows\": true}"));
        equal(all, job, 3, 1);
        equal(all, job, 7, 96);
    }

    /** JSON has the rows that NDJSON has, but a page of it has a cap. */
    private static List<String> whole(RowForm form, String job, List<String> lines) {
        return form == RowForm.JSON || form == RowForm.NDJSON
                ? lines
                : form.rows(server.port(), job, "");
    }

    private static JsonNode splits(String job, String body) {
        return answer(server.http().post("/v1/jobs/" + job + "/splits", JSON, body));
    }

    private static JsonNode answer(HttpAnswer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text());
    }

    private static void count(String job) {
        answer(server.http().post("/v1/jobs/" + job + ":count", JSON, ""));
    }

    /** Reads splits in any order, and some of them from the middle, and puts them together. */
    private static void check(List<String> all, String job, JsonNode document, RowForm form) {
        JsonNode splits = document.get("splits");
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < splits.size(); i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(splits.size()));
        List<List<String>> rows = new ArrayList<>(Collections.nCopies(splits.size(), List.of()));
        for (int i : order) {
            rows.set(i, checked(splits.get(i), job, form));
        }
        assertThat(rows.stream().flatMap(List::stream).toList()).as("%s", form).isEqualTo(all);
    }

    /** The rows of a split, and that what is known of it is true. */
    private static List<String> checked(JsonNode split, String job, RowForm form) {
        List<String> rows = rows(split, job, form, form == RowForm.JSON ? "limit=9000" : "");
        JsonNode told = split.get("rows");
        if (told.get("exact").booleanValue()) {
            assertThat(rows).hasSize(told.get("value").intValue());
        }
        JsonNode range = split.get("rowRange");
        if (!range.isNull()) {
            assertThat(rows)
                    .hasSize(
                            range.get("to").intValue()
                                    - range.get("from").intValue()
                                    + split.get("repeats").intValue());
        }
        int middle = rows.size() / 2;
        assertThat(rows(split, job, form, "limit=5&offset=" + middle))
                .isEqualTo(rows.subList(middle, Math.min(middle + 5, rows.size())));
        return rows;
    }

    private static List<String> rows(JsonNode split, String job, RowForm form, String query) {
        return form.rowsAt(server.port(), split.get("href").stringValue(), job, query);
    }

    /** Splits that are divided, and divided again, have the same rows in the same order. */
    private static void divided(List<String> all, String job, JsonNode document) {
        List<String> rows = new ArrayList<>();
        for (JsonNode split : document.get("splits")) {
            JsonNode halves = divide(split, "{\"row\": 333}");
            JsonNode quarters = divide(halves.get("residual"), "{\"row\": 100}");
            rows.addAll(checked(halves.get("primary"), job, RowForm.NDJSON));
            rows.addAll(checked(quarters.get("primary"), job, RowForm.NDJSON));
            rows.addAll(checked(quarters.get("residual"), job, RowForm.NDJSON));
        }
        assertThat(rows).isEqualTo(all);
        rows.clear();
        for (JsonNode split : document.get("splits")) {
            JsonNode halves = divide(split, "{\"fraction\": 0.5}");
            JsonNode quarters = divide(halves.get("primary"), "{\"fraction\": 0.25}");
            rows.addAll(checked(quarters.get("primary"), job, RowForm.NDJSON));
            rows.addAll(checked(quarters.get("residual"), job, RowForm.NDJSON));
            rows.addAll(checked(halves.get("residual"), job, RowForm.NDJSON));
        }
        assertThat(rows).isEqualTo(all);
    }

    /** Of a job that is not counted. */
    private static void whatIsNotKnownIsRefused(String job, JsonNode split) {
        if (split.get("rows").get("value").isNull()) {
            refused(path(split), "{\"fraction\": 0.5}");
        }
        if (!split.get("rows").get("exact").booleanValue()) {
            refused("/v1/jobs/" + job + "/splits", "{\"count\": 2, \"equalRows\": true}");
            refused("/v1/jobs/" + job + "/splits", "{\"count\": 2, \"alignTo\": 10}");
        }
    }

    private static void refused(String path, String body) {
        HttpAnswer answer = server.http().post(path, JSON, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(409);
        assertThat(answer.text()).contains("row-count-unknown").contains(":count");
    }

    private static JsonNode divide(JsonNode split, String body) {
        return answer(server.http().post(path(split), JSON, body));
    }

    private static String path(JsonNode split) {
        return "/v1/splits/" + split.get("token").stringValue() + ":divide";
    }

    /** Splits of as many rows each, and nothing dropped or repeated that is not told. */
    private static void equal(List<String> all, String job, int count, int align) {
        String body = "{\"count\": %d, \"alignTo\": %d, \"equalRows\": \"%s\"}";
        JsonNode dropped = splits(job, body.formatted(count, align, "drop"));
        int each = all.size() / align / count * align;
        List<String> rows = new ArrayList<>();
        for (JsonNode split : dropped.get("splits")) {
            List<String> of = checked(split, job, RowForm.NDJSON);
            assertThat(of).hasSize(each);
            rows.addAll(of);
        }
        assertThat(rows).isEqualTo(all.subList(0, each * count));
        assertThat(dropped.get("droppedRows").intValue()).isEqualTo(all.size() - each * count);

        JsonNode padded = splits(job, body.formatted(count, align, "pad"));
        int most = Math.ceilDiv(Math.ceilDiv(all.size(), align), count) * align;
        List<String> own = new ArrayList<>();
        List<String> repeated = new ArrayList<>();
        for (JsonNode split : padded.get("splits")) {
            List<String> of = checked(split, job, RowForm.NDJSON);
            assertThat(of).hasSize(all.isEmpty() ? 0 : most);
            int repeats = split.get("repeats").intValue();
            own.addAll(of.subList(0, of.size() - repeats));
            repeated.addAll(of.subList(of.size() - repeats, of.size()));
        }
        assertThat(own).isEqualTo(all);
        assertThat(repeated).hasSize(padded.get("repeatedRows").intValue());
        for (int i = 0; i < repeated.size(); i++) {
            assertThat(repeated.get(i)).isEqualTo(all.get(i % all.size()));
        }
    }
}
