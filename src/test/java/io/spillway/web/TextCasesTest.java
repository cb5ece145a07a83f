package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Texts that are easily misread: quoted line ends, values that come late, records that are none.
 */
@SuppressWarnings("NullAway.Init") // the servers are there before all tests
class TextCasesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Enough for some partitions. */
    private static final int MANY = 250_000;

    @TempDir static Path folder;

    private static SpillwayServer oneThread;
    private static SpillwayServer manyThreads;

    @BeforeAll
    static void start() {
        oneThread = server(1);
        manyThreads = server(8);
    }

    private static SpillwayServer server(int threads) {
        return SpillwayServer.builder()
                .root(folder)
                .set("spillway.scheduler.threads", Integer.toString(threads))
                .start();
    }

    @AfterAll
    static void stop() {
        oneThread.close();
        manyThreads.close();
    }

    private static String plan(String format, Path file, String steps) {
        return plan(format, file, "{}", steps);
    }

    private static String plan(String format, Path file, String options, String steps) {
        return """
        {"from": {"files": {"format": "%s", "paths": ["%s"], "options": %s}}, "steps": [%s]}
        """
                .formatted(format, file, options, steps);
    }

    private static JsonNode submitted(SpillwayServer server, int status, String plan) {
        HttpAnswer answer = server.http().post("/v1/jobs", JSON, "{\"plan\": " + plan + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        return MAPPER.readTree(answer.text());
    }

    private static void isRefused(Path file, String format, String code, long line) {
        for (SpillwayServer server : List.of(oneThread, manyThreads)) {
            JsonNode problem = submitted(server, 422, plan(format, file, ""));
            assertThat(problem.get("code").stringValue()).isEqualTo(code);
            assertThat(problem.get("file").stringValue()).isEqualTo(file.toUri().toString());
            assertThat(problem.get("line").longValue()).isEqualTo(line);
        }
    }

    // ---- CSV with quoted line ends

    private static Path quoted(String name, int rows, String end, int few, int many)
            throws IOException {
        Path file = folder.resolve(name);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("\uFEFF\"id\",txt,n" + end);
            for (int i = 0; i < rows; i++) {
                out.write(i + ",\"line one\nline, two \"\"" + i + "\"\"\"");
                out.write(i == few ? "" : "," + i % 7);
                out.write(i == many ? ",more" : "");
                out.write(i == rows - 1 ? "" : end);
            }
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r\r\n"})
    void quotedLineEndsMakeNoRowsWhereverTheFileIsCut(String end) throws IOException {
        String sums =
                """
                {"op": "aggregate", "by": [], "measures": {"c": "COUNT(*)",
                 "ids": "COUNT(DISTINCT id)", "s": "SUM(n)", "texts": "COUNT(DISTINCT txt)"}}\
                """;
        for (SpillwayServer server : List.of(oneThread, manyThreads)) {
            Path small = quoted("quoted.csv", 10_000, end, -1, -1);
            assertThat(server.ndjson(plan("csv", small, sums)))
                    .containsExactly("{\"c\":10000,\"ids\":10000,\"s\":29994,\"texts\":10000}");
            Path large = quoted("quoted-many.csv", MANY, end, -1, -1);
            JsonNode job = submitted(server, 201, plan("csv", large, ""));
            assertThat(job.at("/schema/0/name").stringValue()).isEqualTo("id");
            List<String> lines = server.lines(job.get("id").stringValue(), "");
            assertThat(lines).hasSize(MANY);
            for (int i = 0; i < MANY; i++) {
                if (!lines.get(i)
                        .equals(
                                "{\"id\":%d,\"txt\":\"line one\\nline, two \\\"%d\\\"\",\"n\":%d}"
                                        .formatted(i, i, i % 7))) {
                    throw new AssertionError(i + ": " + lines.get(i));
                }
            }
        }
    }

    @Test
    void raggedRowsAreRefusedByLine() throws IOException {
        isRefused(quoted("few.csv", 10_000, "\n", 4_999, 5_999), "csv", "file-corrupt", 10_000);
        isRefused(quoted("more.csv", 10_000, "\r\n", -1, 5_999), "csv", "file-corrupt", 12_000);
        isRefused(quoted("late.csv", MANY, "\n", -1, MANY - 2), "csv", "file-corrupt", 499_998);
        JsonNode skipped =
                submitted(
                        oneThread,
                        201,
                        """
                        {"from": {"files": {"format": "csv", "paths": ["%s", "%s"],
                                            "options": {"onCorruptFile": "skip"}}}}
                        """
                                .formatted(
                                        quoted("whole.csv", 3, "\n", -1, -1),
                                        quoted("ragged.csv", 3, "\n", 1, -1)));
        assertThat(skipped.get("rowCount").longValue()).isEqualTo(3);
        assertThat(skipped.at("/snapshot/skipped/files/0/reason").stringValue())
                .contains("line 4")
                .contains("has 2 fields");
    }

    // ---- values of given types

    /** The value that is wrong stands far into a file of several partitions. */
    @ParameterizedTest
    @CsvSource({"plain, false", "gzip, true"})
    void aValueOfAnotherTypeIsNamedByFileLineAndColumn(String name, boolean gzip)
            throws IOException {
        int wrong = MANY - 3;
        StringBuilder text = new StringBuilder("id,txt,n\n");
        for (int i = 0; i < MANY; i++) {
            text.append(i).append(",\"two\nlines of ").append(i).append("\",");
            text.append(i == wrong ? "seven" : "7").append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve(name + "-mistyped.csv");
        Files.write(file, gzip ? zipped(bytes) : bytes);
        String options = "{\"columns\": {\"n\": \"int32\"}}";
        for (SpillwayServer server : List.of(oneThread, manyThreads)) {
            String job = server.submit(plan("csv", file, options, ""));
            for (int offset : new int[] {wrong - 1, wrong}) {
                isMistyped(server, job, "limit=5&offset=" + offset, file, 3 + 2L * wrong, "n");
            }
            assertThat(server.page(job, "limit=1&offset=" + (wrong + 1)))
                    .contains("\"rows\":[{\"id\":" + (wrong + 1));
            String sum = "{\"op\": \"aggregate\", \"by\": [], \"measures\": {\"s\": \"SUM(n)\"}}";
            String whole = server.submit(plan("csv", file, options, sum));
            isMistyped(server, whole, "", file, 3 + 2L * wrong, "n");
        }
    }

    @Test
    void aValueOfAnotherTypeInNdjsonIsNamedToo() throws IOException {
        Path file = folder.resolve("mistyped.ndjson");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < MANY; i++) {
            text.append("{\"id\":").append(i).append(",\"at\":{\"n\":");
            text.append(i == MANY - 2 ? "\"x\"" : i).append("}}\n");
        }
        Files.writeString(file, text);
        String options = "{\"columns\": {\"at\": \"struct<n int32>\"}}";
        for (SpillwayServer server : List.of(oneThread, manyThreads)) {
            String job = server.submit(plan("ndjson", file, options, ""));
            isMistyped(server, job, "offset=" + (MANY - 5), file, MANY - 1, "at.n");
        }
    }

    private static void isMistyped(
            SpillwayServer server, String job, String query, Path file, long line, String column) {
        HttpAnswer answer = server.http().get("/v1/jobs/" + job + "/rows?" + query, JSON);
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isEqualTo("invalid-cast");
        assertThat(problem.get("file").stringValue()).isEqualTo(file.toUri().toString());
        assertThat(problem.get("line").longValue()).isEqualTo(line);
        assertThat(problem.get("column").stringValue()).isEqualTo(column);
    }

    private static byte[] zipped(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        }
        return zipped.toByteArray();
    }

    // ---- NDJSON whose types show late

    private static Path ndjson(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, Arrays.asList(lines));
    }

    @Test
    void aValueThatComesLateKeepsItsText() throws IOException {
        String[] lines = new String[40_004];
        Arrays.fill(lines, 0, 40_000, "{\"code\":5}");
        lines[40_000] = "{\"code\":\"0042\"}";
        lines[40_001] = "{\"code\":null}";
        lines[40_002] = "{}";
        lines[40_003] = "{\"code\":{\"b\":2}}";
        Path late = ndjson("late.ndjson", lines);
        Path early = ndjson("early.ndjson", Arrays.asList(lines).reversed().toArray(String[]::new));
        for (SpillwayServer server : List.of(oneThread, manyThreads)) {
            JsonNode job = submitted(server, 201, plan("ndjson", late, ""));
            assertThat(job.at("/schema/0/type").stringValue()).isEqualTo("utf8");
            List<String> rows = server.lines(job.get("id").stringValue(), "");
            assertThat(rows.subList(0, 40_000)).containsOnly("{\"code\":\"5\"}");
            assertThat(rows.subList(40_000, 40_004))
                    .containsExactly(
                            "{\"code\":\"0042\"}",
                            "{\"code\":null}",
                            "{\"code\":null}",
                            "{\"code\":\"{\\\"b\\\":2}\"}");
            assertThat(server.ndjson(plan("ndjson", early, ""))).isEqualTo(rows.reversed());
        }
    }

    @Test
    void aColumnOfNullsHasTheTypeThatAnotherFileTells() throws IOException {
        ndjson("nulls/1.ndjson", "{\"u\":null}");
        Path second = ndjson("nulls/2.ndjson", "{\"u\":\"x\"}");
        Path both = second.resolveSibling("*.ndjson");
        JsonNode job = submitted(oneThread, 201, plan("ndjson", both, ""));
        assertThat(job.at("/schema/0/type").stringValue()).isEqualTo("utf8");
        assertThat(oneThread.lines(job.get("id").stringValue(), ""))
                .containsExactly("{\"u\":null}", "{\"u\":\"x\"}");
    }

    @Test
    void numbersAreExactOrTexts() throws IOException {
        Path large = ndjson("large.ndjson", "{\"v\":12345678901234567890}", "", "{\"v\":1}");
        assertThat(oneThread.ndjson(plan("ndjson", large, "")))
                .containsExactly("{\"v\":12345678901234567890}", "{\"v\":1}");
        Path huge = ndjson("huge.ndjson", "{\"v\":1e400}", "{\"v\":2}");
        assertThat(oneThread.ndjson(plan("ndjson", huge, "")))
                .containsExactly("{\"v\":\"1e400\"}", "{\"v\":\"2\"}");
        Path marked = ndjson("marked.ndjson", "\uFEFF{\"v\":9007199254740993}", "{\"v\":0.5}");
        assertThat(oneThread.ndjson(plan("ndjson", marked, "")))
                .containsExactly("{\"v\":9007199254740993.0}", "{\"v\":0.5}");
    }

    @Test
    void aNameThatStandsTwiceIsRefusedByLine() throws IOException {
        Path file = ndjson("twice.ndjson", "{\"a\":1}", "", "{\"a\":1,\"a\":2}");
        isRefused(file, "ndjson", "file-corrupt", 3);
    }

    // ---- files that are not what they claim

    @Test
    void filesThatAreCutOrOfAnotherFormatAreRefusedByName() throws IOException {
        byte[] rows = "id,n\n1,2\n3,4\n".repeat(5_000).getBytes(StandardCharsets.UTF_8);
        byte[] zipped = zipped(rows);
        Path cut = folder.resolve("cut.csv.gz");
        Files.write(cut, Arrays.copyOf(zipped, zipped.length - 9));
        Path other = folder.resolve("other.csv");
        Files.write(other, new byte[] {'P', 'A', 'R', '1', 0, 1, 2, 3});
        Path latin = folder.resolve("latin.ndjson");
        Files.writeString(latin, "{\"a\":\"caf\u00e9\"}\n", StandardCharsets.ISO_8859_1);
        for (Path file : List.of(cut, other, latin)) {
            String format = file.toString().endsWith("ndjson") ? "ndjson" : "csv";
            JsonNode problem = submitted(oneThread, 422, plan(format, file, ""));
            assertThat(problem.get("code").stringValue()).isEqualTo("file-corrupt");
            assertThat(problem.get("file").stringValue()).isEqualTo(file.toUri().toString());
        }
    }
}
