package io.spillway.delivery.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.RowSchema;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.BodyFormat;
import io.spillway.testing.ArrowRows;
import io.spillway.testing.PlanKinds;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * What holds for the bodies of every job: all together they are its rows, each once, in order; and
 * a body is the same to the byte however it comes to be read.
 */
@SuppressWarnings("NullAway.Init") // the servers are there before all tests
class BodyLawTest {

    private static final JsonMapper EXACT =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    private static final int MOST = 60;

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static SpillwayServer narrow;
    private static Bodies bodies;

    @BeforeAll
    static void start() {
        server = PlanKinds.serve(folder).set("spillway.scheduler.threads", "4").start();
        narrow = PlanKinds.serve(folder).set("spillway.scheduler.threads", "1").start();
        bodies = new Bodies(server);
    }

    @AfterAll
    static void stop() {
        bodies.assertNothingHeld();
        new Bodies(narrow).assertNothingHeld();
        server.close();
        narrow.close();
    }

    static List<String> plans() {
        return PlanKinds.all();
    }

    @ParameterizedTest
    @MethodSource("plans")
    void bodiesAreTheRows(String plan) throws Exception {
        String job = server.submit(plan);
        List<String> lines = server.lines(job, "");
        for (int size : new int[] {1, 7, 96, 100_000}) {
            BodyForm form = bodies.form(job, null, BodyFormat.JSON, Bodies.rows(size));
            try (BodyReader reader = bodies.reader(job, form)) {
                List<Bodies.Sent> sent = Bodies.rest(reader, 0, MOST);
                assertThat(sent.stream().map(Bodies.Sent::text).toList())
                        .isEqualTo(arrays(lines, size));
                assertThat(sent).allMatch(s -> s.rows() == size || "end".equals(s.reason()));
            }
        }
    }

    private static List<String> arrays(List<String> lines, int size) {
        List<String> arrays = new ArrayList<>();
        for (int from = 0; from < lines.size() && arrays.size() < MOST; from += size) {
            arrays.add(
                    "["
                            + String.join(
                                    ",", lines.subList(from, Math.min(from + size, lines.size())))
                            + "]");
        }
        return arrays;
    }

    @ParameterizedTest
    @MethodSource("plans")
    void bodiesDependOnNothingButTheirRows(String plan) throws Exception {
        String job = server.submit(plan);
        List<JsonNode> lines = server.lines(job, "").stream().map(EXACT::readTree).toList();
        RowSchema schema = bodies.job(job).plan().schema();
        String template = template(schema);
        int size = 96;
        BodyForm form = bodies.form(job, template, BodyFormat.JSON, Bodies.rows(size));
        List<Bodies.Sent> sent;
        try (BodyReader reader = bodies.reader(job, form)) {
            sent = Bodies.rest(reader, 0, MOST);
            for (Bodies.Sent body : sent) {
                check(body, lines, schema, size);
            }
            Random random = new Random(plan.hashCode());
            for (int i = 0; i < 4 && !sent.isEmpty(); i++) {
                Bodies.Sent any = sent.get(random.nextInt(sent.size()));
                assertThat(Bodies.sent(reader.read(any.firstRow(), any.rows())))
                        .isEqualTo(any.withoutReason());
                if (i % 2 == 0) {
                    reader.release();
                }
            }
            if (!sent.isEmpty()) {
                List<Bodies.Sent> half = sent.subList(sent.size() / 2, sent.size());
                assertThat(Bodies.rest(reader, half.getFirst().firstRow(), half.size()))
                        .isEqualTo(half);
            }
        }
        Bodies others = new Bodies(narrow);
        String again = narrow.submit(plan);
        try (BodyReader reader =
                others.reader(
                        again, others.form(again, template, BodyFormat.JSON, Bodies.rows(size)))) {
            assertThat(Bodies.rest(reader, 0, MOST)).isEqualTo(sent);
        }
    }

    private static String template(RowSchema schema) {
        String first = quoted(schema.column(0).name());
        String last = quoted(schema.column(schema.size() - 1).name());
        return """
        {"model": "m\\u0001é\\"", "n": 1.50e+3, "none": [], "empty": {},
         "nested": [1, {"in": {"$column": %s}, "mix": [{"$batch": "firstRow"}, null, true]}],
         "no": {"$batch": "number"}, "rows": {"$batch": "rows"},
         "some": {"$rows": [%s, %s]}, "all": {"$rows": "*"}, "last": {"$column": %s},
         "kept": {"$literal": {"$column": "x", "a": [{"$rows": 1}]}}}
        """
                .formatted(first, last, schema.size() == 1 ? "" : first, last)
                .replace(", ]", "]");
    }

    private static String quoted(String name) {
        return EXACT.writeValueAsString(name);
    }

    private static void check(Bodies.Sent body, List<JsonNode> lines, RowSchema schema, int size) {
        List<JsonNode> rows =
                lines.subList((int) body.firstRow(), (int) (body.firstRow() + body.rows()));
        JsonNode tree = EXACT.readTree(body.text());
        String first = schema.column(0).name();
        String last = schema.column(schema.size() - 1).name();
        assertThat(body.text())
                .startsWith("{\"model\":\"m\\u0001é\\\"\",\"n\":1.50e+3,\"none\":[],\"empty\":{},")
                .endsWith(",\"kept\":{\"$column\":\"x\",\"a\":[{\"$rows\":1}]}}");
        assertThat(tree.required("nested").required(1).required("in"))
                .isEqualTo(column(rows, first));
        assertThat(tree.required("last")).isEqualTo(column(rows, last));
        assertThat(tree.required("all")).isEqualTo(array(rows));
        assertThat(tree.required("some").valueStream().map(JsonNode::propertyNames))
                .allMatch(
                        names ->
                                List.copyOf(names)
                                        .equals(
                                                schema.size() == 1
                                                        ? List.of(last)
                                                        : List.of(last, first)));
        assertThat(column(List.copyOf(tree.required("some").values()), last))
                .isEqualTo(column(rows, last));
        assertThat(tree.required("nested").required(1).required("mix").required(0).longValue())
                .isEqualTo(body.firstRow());
        assertThat(tree.required("no").longValue()).isEqualTo(body.firstRow() / size);
        assertThat(tree.required("rows").longValue()).isEqualTo(body.rows());
    }

    private static ArrayNode array(List<JsonNode> items) {
        ArrayNode array = EXACT.createArrayNode();
        items.forEach(array::add);
        return array;
    }

    private static ArrayNode column(List<JsonNode> rows, String name) {
        return array(rows.stream().map(row -> row.required(name)).toList());
    }

    @ParameterizedTest
    @MethodSource("plans")
    void linesAndArrowAreTheRows(String plan) throws Exception {
        String job = server.submit(plan);
        List<String> lines = server.lines(job, "");
        BodyForm ndjson = bodies.form(job, null, BodyFormat.NDJSON, Bodies.rows(500));
        try (BodyReader reader = bodies.reader(job, ndjson)) {
            assertThat(
                            Bodies.rest(reader, 0, MOST).stream()
                                    .map(Bodies.Sent::text)
                                    .collect(Collectors.joining()))
                    .isEqualTo(lines.stream().map(l -> l + "\n").collect(Collectors.joining()));
        }
        BodyForm arrow =
                bodies.form(job, null, BodyFormat.ARROW, new BatchShape(700, null, null, true));
        try (BodyReader reader = bodies.reader(job, arrow)) {
            List<Bodies.Sent> sent = Bodies.rest(reader, 0, MOST);
            assertThat(sent).allMatch(body -> body.rows() == 700).hasSize(lines.size() / 700);
            List<String> rows = new ArrayList<>();
            for (Bodies.Sent body : sent) {
                ArrowRows.parse(body.bytes()).rows().forEach(row -> rows.add(row.toString()));
            }
            if (!sent.isEmpty()) {
                reader.release();
                Bodies.Sent last = sent.getLast();
                assertThat(Bodies.sent(reader.read(last.firstRow(), 700)))
                        .isEqualTo(last.withoutReason());
            }
            assertThat(rows)
                    .isEqualTo(RowForm.ARROW.rows(server.port(), job, "").subList(0, rows.size()));
        }
    }
}
