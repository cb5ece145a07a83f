package io.spillway.delivery.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.encode.ShortReason;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.BodyFormat;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where caps close batches: as early as they must, and no earlier. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class CappedBodiesTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static Bodies bodies;

    /**
     * Rows of most different lengths, some far longer than others, and weights, some of them odd.
     */
    @BeforeAll
    static void start() {
        Path file =
                ParquetFiles.write(
                        folder.resolve("docs.parquet"),
                        """
                        SELECT i AS id,
                          CASE WHEN i % 97 = 13 THEN repeat('long é "', 4000)
                            WHEN i % 5 = 0 THEN NULL ELSE repeat('x', (i * 7 % 90)::INTEGER) END AS text,
                          CASE WHEN i % 31 = 7 THEN NULL WHEN i % 41 = 3 THEN -5
                            ELSE i * 13 % 50 END AS tokens,
                          [i, NULL, i * 2] AS list
                        FROM range(0, 3000) AS t(i)
                        """,
                        "ROW_GROUP_SIZE 2048");
        server =
                SpillwayServer.builder()
                        .dataset("docs", file)
                        .dataset("bad", BadText.write(folder))
                        .start();
        bodies = new Bodies(server);
    }

    @AfterAll
    static void stop() {
        bodies.assertNothingHeld();
        server.close();
    }

    private static String job() {
        return server.submit("{\"from\": {\"dataset\": \"docs\"}}");
    }

    @ParameterizedTest
    @ValueSource(longs = {150, 151, 1_000, 20_000, 300_000, 50_000_000})
    void bytesCloseABatch(long maxBytes) throws Exception {
        for (String template :
                new String[] {
                    null,
                    "{\"at\":{\"$batch\":\"firstRow\"},\"ids\":{\"$column\":\"id\"},\"t\":{\"$column\":\"text\"},"
                            + "\"r\":{\"$rows\":[\"list\",\"tokens\"]}}",
                    "{\"t\":{\"$column\":\"text\"}}"
                }) {
            BatchShape shape = new BatchShape(700, maxBytes, null, false);
            check(shape, template);
        }
    }

    @Test
    void weightAndRowsCloseABatch() throws Exception {
        String template = "{\"t\":{\"$column\":\"text\"},\"n\":{\"$batch\":\"rows\"}}";
        for (long max : new long[] {1, 49, 500, 100_000}) {
            BatchShape.Weight weight = new BatchShape.Weight("tokens", max);
            check(new BatchShape(64, null, weight, false), template);
            check(new BatchShape(64, 3_000L, weight, false), template);
        }
    }

    /** Follows from the rows what each batch has to be, and reads it again. */
    private static void check(BatchShape shape, String template) throws Exception {
        String job = job();
        BodyForm form = bodies.form(job, template, BodyFormat.JSON, shape);
        List<String> texts = alone(job, template);
        double[] weights = weights(job, shape);
        List<Bodies.Sent> sent;
        try (BodyReader reader = bodies.reader(job, form)) {
            sent = Bodies.rest(reader, 0, Integer.MAX_VALUE);
            Random random = new Random(shape.hashCode());
            for (int i = 0; i < 3; i++) {
                int any = random.nextInt(sent.size());
                Bodies.Sent body = sent.get(any);
                assertThat(Bodies.sent(reader.read(body.firstRow(), body.rows())))
                        .isEqualTo(body.withoutReason());
                reader.release();
                assertThat(Bodies.sent(reader.next(body.firstRow()))).isEqualTo(body);
            }
        }
        long next = 0;
        for (Bodies.Sent body : sent) {
            assertThat(body.firstRow()).isEqualTo(next);
            next += body.rows();
            boolean isLast = next == texts.size();
            long max = shape.maxBytes() == null ? Long.MAX_VALUE : shape.maxBytes();
            double heaviest = shape.weight() == null ? Double.MAX_VALUE : shape.weight().max();
            double weight = sum(weights, body.firstRow(), next);
            assertThat(body.rows() == 1 || (body.bytes().length <= max && weight <= heaviest))
                    .as("%s", body)
                    .isTrue();
            String expected =
                    body.rows() == shape.rows()
                            ? null
                            : isLast ? "end" : longer(body, texts, next) > max ? "bytes" : "weight";
            assertThat(body.reason()).isEqualTo(expected);
            if ("weight".equals(expected)) {
                assertThat(weight + weights[(int) next]).isGreaterThan(heaviest);
            }
        }
        assertThat(next).isEqualTo(texts.size());
    }

    /** Bytes of the body with one more row, by the bodies of rows alone. */
    private static long longer(Bodies.Sent body, List<String> texts, long row) {
        long added = texts.get((int) row).getBytes(StandardCharsets.UTF_8).length;
        return body.bytes().length + added;
    }

    /** What each row adds to a body that has some already. */
    private static List<String> alone(String job, String template) {
        List<String> all = new ArrayList<>();
        for (String line : server.lines(job, "")) {
            JsonNode row = MAPPER.readTree(line);
            if (template == null) {
                all.add("," + line);
            } else if (template.contains("list")) {
                all.add(
                        ",%s,%s,{\"list\":%s,\"tokens\":%s}"
                                .formatted(
                                        row.get("id"),
                                        row.get("text"),
                                        row.get("list"),
                                        row.get("tokens")));
            } else {
                all.add("," + row.get("text"));
            }
        }
        return all;
    }

    private static double[] weights(String job, BatchShape shape) {
        return server.lines(job, "").stream()
                .map(MAPPER::readTree)
                .mapToDouble(
                        row ->
                                shape.weight() == null
                                        ? 0
                                        : Math.max(0, row.get("tokens").asDouble(0)))
                .toArray();
    }

    private static double sum(double[] weights, long from, long to) {
        double sum = 0;
        for (long i = from; i < to; i++) {
            sum += weights[(int) i];
        }
        return sum;
    }

    @Test
    void theLastBatchMayBeLeftOut() throws Exception {
        String job = job();
        BatchShape shape = new BatchShape(700, null, null, true);
        try (BodyReader reader =
                bodies.reader(job, bodies.form(job, null, BodyFormat.JSON, shape))) {
            assertThat(Bodies.rest(reader, 0, 100)).hasSize(4);
            assertThat(Bodies.sent(reader.next(2_800))).isNull();
            assertThat(Bodies.sent(reader.read(2_800, 200))).isNotNull();
            assertThat(Bodies.sent(reader.read(2_800, 700)))
                    .extracting(Bodies.Sent::reason)
                    .isEqualTo("end");
            assertThat(Bodies.sent(reader.next(3_000))).isNull();
            assertThat(Bodies.sent(reader.next(1L << 60))).isNull();
        }
    }

    @Test
    void oneRowAloneIsARow() throws Exception {
        String job = job();
        BodyForm form =
                bodies.form(
                        job, "{\"$row\": [\"tokens\", \"id\"]}", BodyFormat.JSON, Bodies.rows(1));
        try (BodyReader reader = bodies.reader(job, form)) {
            assertThat(Bodies.rest(reader, 1, 2).stream().map(Bodies.Sent::text).toList())
                    .containsExactly("{\"tokens\":13,\"id\":1}", "{\"tokens\":26,\"id\":2}");
        }
    }

    @Test
    void linksStandForRows() throws Exception {
        String job = job();
        BodyForm form =
                bodies.form(
                        job,
                        "{\"get\": {\"$batch\": \"link\"}, \"rows\": {\"$batch\": \"rows\"}}",
                        BodyFormat.JSON,
                        Bodies.rows(1_999));
        Links links =
                new Links() {
                    @Override
                    public String of(long firstRow, long rows) {
                        return "https://é/\"" + firstRow + "." + rows;
                    }

                    @Override
                    public int maxBytes() {
                        return 100;
                    }
                };
        assertThat(form.usesLinks()).isTrue();
        try (BodyReader reader = bodies.reader(job, form, links)) {
            assertThat(Bodies.rest(reader, 0, 5).stream().map(Bodies.Sent::text).toList())
                    .containsExactly(
                            "{\"get\":\"https://é/\\\"0.1999\",\"rows\":1999}",
                            "{\"get\":\"https://é/\\\"1999.1001\",\"rows\":1001}");
        }
    }

    @Test
    void aRowWithoutTextSpoilsItsBatchAlone() throws Exception {
        String job = server.submit("{\"from\": {\"dataset\": \"bad\"}}");
        for (BatchShape shape :
                List.of(Bodies.rows(100), new BatchShape(100, 1_500L, null, false))) {
            BodyForm form = bodies.form(job, null, BodyFormat.JSON, shape);
            try (BodyReader reader = bodies.reader(job, form)) {
                long next = 0;
                int bad = 0;
                long rows = 0;
                while (true) {
                    BodyRead read = reader.next(next).get(60, TimeUnit.SECONDS);
                    if (read instanceof NoRows) {
                        break;
                    }
                    if (read instanceof BadBody(var cut, SpillwayException reason)) {
                        bad++;
                        assertThat(reason.code()).isEqualTo(ErrorCode.INVALID_TEXT);
                        assertThat(reason.context())
                                .containsEntry(SpillwayException.ROW, (long) BadText.ROW)
                                .containsEntry(SpillwayException.COLUMN, "text");
                        assertThat(cut.firstRow()).isLessThanOrEqualTo(BadText.ROW);
                        assertThat(cut.end()).isGreaterThan(BadText.ROW);
                        assertThat(cut.shortReason()).isNotEqualTo(ShortReason.WEIGHT);
                        next = cut.end();
                    } else if (read instanceof Body body) {
                        next = body.cut().end();
                        rows += body.cut().rows();
                        body.close();
                    }
                }
                assertThat(bad).isOne();
                assertThat(next).isEqualTo(BadText.ROWS);
                assertThat(rows).isGreaterThanOrEqualTo(BadText.ROWS - 100L);
            }
        }
    }
}
