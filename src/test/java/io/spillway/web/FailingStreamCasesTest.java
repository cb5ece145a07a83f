package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.ArrowRows;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.EventStreamParser;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RawCall;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file that turns out broken after thousands of good rows have gone out: in no form can a client
 * take the part for the whole.
 */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class FailingStreamCasesTest {

    private static final int GOOD_ROWS = 10_000;
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static String job;

    @BeforeAll
    static void start() throws IOException {
        Path good = ParquetFiles.writeChecksummed(folder.resolve("a.parquet"), GOOD_ROWS, 1 << 20);
        Path bad = ParquetFiles.writeChecksummed(folder.resolve("b.parquet"), 100_000, 200_000);
        try (RandomAccessFile data = new RandomAccessFile(bad.toFile(), "rw")) {
            data.seek(data.length() * 9 / 10);
            data.write(new byte[64]);
        }
        server = SpillwayServer.builder().dataset("both", good, bad).start();
        job = server.submit("{\"from\": {\"dataset\": \"both\"}}");
    }

    @AfterAll
    static void stop() {
        assertThat(server.bean("jobManager", JobManager.class).readers()).isZero();
        assertThat(server.bean("memory", MemoryPool.class).held()).isZero();
        server.close();
    }

    /** What a client has when a stream breaks off. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares two
    private record Part(byte[] bytes, boolean broken, String rowCount) {

        static Part of(RowForm form, String query) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ChunkedResponse answer = form.ask(server.port(), job, query)) {
                assertThat(answer.status()).isEqualTo(200);
                boolean broken = false;
                try {
                    for (byte[] more = answer.next(); more.length > 0; more = answer.next()) {
                        bytes.writeBytes(more);
                    }
                } catch (EOFException | SocketException e) {
                    broken = true;
                }
                return new Part(bytes.toByteArray(), broken, answer.field("Spillway-Row-Count"));
            }
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NDJSON", "CSV", "ARROW"})
    void aStreamBreaksOff(RowForm form) throws IOException {
        Part part = Part.of(form, "");
        assertThat(part.broken()).as("the connection breaks").isTrue();
        assertThat(part.rowCount()).isEmpty();
        assertThat(part.bytes().length).isPositive();
        assertThat(part.text()).doesNotContain("file-corrupt", "checksum");
        if (form == RowForm.ARROW) {
            assertThat(ArrowRows.endsWell(part.bytes())).isFalse();
        }
    }

    @Test
    void eventsTellTheFailureAndNoEnd() throws IOException {
        Part part = Part.of(RowForm.EVENTS, "batch=100");
        assertThat(part.broken()).as("the connection breaks").isTrue();
        EventStreamParser parser = new EventStreamParser();
        List<Event> events = parser.feed(part.bytes());
        assertThat(events).extracting(Event::type).doesNotContain("end").contains("rows");
        Event failure = events.getLast();
        assertThat(failure.type()).isEqualTo("failure");
        assertThat(failure.id()).isNull();
        JsonNode problem = MAPPER.readTree(failure.data());
        assertThat(problem.get("code").stringValue()).isEqualTo("file-corrupt");
        assertThat(problem.get("file").stringValue()).endsWith("/b.parquet");
        long next = Long.parseLong(failure.lastEventId().split("\\.", -1)[1]);
        assertThat(next).isGreaterThanOrEqualTo(GOOD_ROWS);

        // A browser comes back by itself. It learns at once that it need not.
        try (ChunkedResponse again =
                ChunkedResponse.get(
                        server.port(),
                        "/v1/jobs/" + job + "/rows?batch=100",
                        Map.of(
                                "Accept",
                                "text/event-stream",
                                "Last-Event-ID",
                                failure.lastEventId()))) {
            assertThat(again.text()).contains("file-corrupt");
            assertThat(again.status()).isEqualTo(422);
        }
    }

    /** What is last on its way is not lost where a connection breaks while a reader is behind. */
    @Test
    void aReaderThatIsBehindSeesTheFailureToo() throws Exception {
        try (RawCall call =
                new RawCall(
                        server.port(),
                        "/v1/jobs/" + job + "/rows?offset=90000",
                        "text/event-stream",
                        4_096)) {
            String text = call.text(20_000);
            Thread.sleep(1_000);
            text += call.readToEnd();
            assertThat(text).contains("event: failure\ndata: {").contains("file-corrupt");
            // The event is whole, and no chunk follows that would end the body.
            assertThat(text).endsWith("}\n\n\r\n");
        }
    }

    @Test
    void aPageIsAProblemOrWhole() throws IOException {
        try (ChunkedResponse good = RowForm.JSON.ask(server.port(), job, "limit=10000")) {
            assertThat(good.status()).isEqualTo(200);
        }
        try (ChunkedResponse bad =
                RowForm.JSON.ask(server.port(), job, "offset=105000&limit=5000")) {
            assertThat(bad.status()).isEqualTo(422);
            assertThat(bad.text()).contains("file-corrupt").doesNotContain("\"rows\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theGoodRowsCanBeHadByThemselves(RowForm form) {
        assertThat(form.rows(server.port(), job, "offset=9000&limit=1000")).hasSize(1000);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureBeforeTheFirstRowIsAnAnswer(RowForm form) throws IOException {
        try (ChunkedResponse answer = form.ask(server.port(), job, "offset=101000&limit=9000")) {
            assertThat(answer.text()).contains("file-corrupt");
            assertThat(answer.status()).isEqualTo(422);
            assertThat(answer.field("Content-Type")).startsWith("application/problem+json");
        }
    }
}
