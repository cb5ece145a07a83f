package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.job.JobManager;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RawCall;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HEAD is answered as GET is, up to the body, of which nothing is made; OPTIONS and methods that a
 * resource does not have tell which ones it has (RFC 9110, sections 9.3.2, 9.3.7, 15.5.6).
 */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class HeadRequestsTest {

    /** What only the body tells, and how it is framed. */
    private static final Set<String> OF_THE_BODY =
            Set.of("content-length", "transfer-encoding", "content-encoding", "link", "connection");

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static String job;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .dataset(
                                "rows",
                                ParquetFiles.write(
                                        folder.resolve("rows.parquet"),
                                        "SELECT range AS id, 'row ' || range AS text FROM"
                                                + " range(2000000)"))
                        .start();
        job =
                server.submit(
                        "{\"from\": {\"dataset\": \"rows\"}, \"steps\": [{\"op\": \"filter\","
                                + " \"where\": \"id % 2 = 1\"}]}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String rows() {
        return "/v1/jobs/" + job + "/rows";
    }

    /** Head fields of an answer; its connection is let go of, and with it the rest. */
    private static Map<String, String> fields(String head) {
        Map<String, String> fields = new TreeMap<>();
        head.lines()
                .skip(1)
                .filter(line -> !line.isEmpty())
                .forEach(
                        line -> {
                            int colon = line.indexOf(':');
                            fields.merge(
                                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                                    line.substring(colon + 1).strip(),
                                    (a, b) -> a + ", " + b);
                        });
        return fields;
    }

    private static String head(RawCall call) {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            String next = call.text(1);
            assertThat(next).as("the connection ends after: %s", head).isNotEmpty();
            head.append(next);
        }
        return head.toString();
    }

    private static double bytesRead() {
        return server.bean("prometheusMeterRegistry", MeterRegistry.class)
                .get("spillway.scan.read")
                .counter()
                .count();
    }

    @ParameterizedTest
    @EnumSource
    void aHeadIsTheSameAndNothingIsRead(RowForm form) {
        Map<String, String> ofGet;
        try (RawCall get =
                new RawCall(server.port(), rows() + "?offset=7", form.mediaType(), 1024)) {
            ofGet = fields(head(get));
            get.reset();
        }
        await().until(() -> server.bean("jobManager", JobManager.class).readers() == 0);
        double before = bytesRead();
        try (RawCall call =
                RawCall.of(
                        server.port(), "HEAD", rows() + "?offset=7", form.mediaType(), 1 << 16)) {
            String head = head(call);
            assertThat(head).startsWith("HTTP/1.1 200 OK\r\n");
            Map<String, String> ofHead = fields(head);
            assertThat(ofHead).doesNotContainKey("content-length");
            for (Map<String, String> fields : List.of(ofHead, ofGet)) {
                fields.keySet().removeAll(OF_THE_BODY);
                fields.remove("date");
            }
            assertThat(ofHead).isEqualTo(ofGet);
            // What comes next on the connection is the next answer, not a body.
            call.send("HEAD", "/v1/jobs/none/rows", form.mediaType());
            assertThat(head(call)).startsWith("HTTP/1.1 404 ");
        }
        assertThat(bytesRead()).isEqualTo(before);
        assertThat(server.bean("jobManager", JobManager.class).readers()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json | /rows?limit=10001 | 400",
                "application/json | /rows?maxBytes=999999999999 | 400",
                "application/json | /rows?cursor=none | 400",
                "text/csv | /rows?offset=-1 | 400",
                "text/csv | /rows?nonsense=1 | 400",
                "image/png | /rows | 406",
                "text/event-stream | /rows?lastEventId=none | 400",
                "text/event-stream | /rows?lastEventId=JOB.end | 204",
                "text/event-stream | /events | 200"
            })
    void aHeadIsRefusedAsAGetIs(String accept, String path, int status) throws IOException {
        String target = "/v1/jobs/" + job + path.replace("JOB", job);
        HttpAnswer head = server.http().call("HEAD", target, Map.of("Accept", accept), null);
        assertThat(head.status()).isEqualTo(status);
        assertThat(head.text()).isEmpty();
        try (ChunkedResponse get =
                ChunkedResponse.get(server.port(), target, Map.of("Accept", accept))) {
            assertThat(get.status()).isEqualTo(status);
            assertThat(head.header("Content-Type").orElse("")).isEqualTo(get.field("Content-Type"));
        }
    }

    @Test
    void aTicketOpensHeadsToo() {
        HttpAnswer issued =
                server.http()
                        .call(
                                "POST",
                                "/v1/jobs/" + job + ":ticket",
                                Map.of("Accept", "application/json"),
                                "");
        String ticket = issued.text().replaceFirst(".*\"ticket\":\"([^\"]+)\".*", "$1");
        for (String name : List.of("rows", "events")) {
            String path = "/v1/jobs/" + job + "/" + name + "?ticket=";
            Map<String, String> accept = Map.of("Accept", "text/event-stream");
            assertThat(server.http().call("HEAD", path + ticket, accept, null).status())
                    .isEqualTo(200);
            assertThat(server.http().call("HEAD", path + "x" + ticket, accept, null).status())
                    .isEqualTo(401);
        }
    }

    @Test
    void aHeadOfAJobThatIsGoneIsGone() {
        String doomed = server.submit("{\"from\": {\"dataset\": \"rows\"}}");
        server.http().call("DELETE", "/v1/jobs/" + doomed, Map.of(), null);
        for (RowForm form : RowForm.values()) {
            assertThat(
                            server.http()
                                    .call(
                                            "HEAD",
                                            "/v1/jobs/" + doomed + "/rows",
                                            Map.of("Accept", form.mediaType()),
                                            null)
                                    .status())
                    .isEqualTo(410);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "POST", "DELETE"})
    void otherMethodsLearnWhichOnesThereAre(String method) {
        HttpAnswer answer = server.http().call(method, rows(), Map.of("Accept", "*/*"), "");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(allowed(answer)).containsExactlyInAnyOrder("GET", "HEAD", "OPTIONS");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/jobs | GET HEAD OPTIONS POST",
                "/v1/jobs/JOB | DELETE GET HEAD OPTIONS",
                "/v1/jobs/JOB/rows | GET HEAD OPTIONS",
                "/v1/jobs/JOB/events | GET HEAD OPTIONS",
                "/v1/rows | OPTIONS POST"
            })
    void optionsTellsTheMethods(String path, String methods) {
        String target = path.replace("JOB", job);
        HttpAnswer options = server.http().call("OPTIONS", target, Map.of("Accept", "*/*"), null);
        assertThat(options.status()).isBetween(200, 204);
        assertThat(options.text()).isEmpty();
        assertThat(allowed(options)).containsExactlyElementsOf(List.of(methods.split(" ", -1)));
        HttpAnswer wrong = server.http().call("PATCH", target, Map.of("Accept", "*/*"), "");
        assertThat(wrong.status()).isEqualTo(405);
        assertThat(allowed(wrong)).isEqualTo(allowed(options));
    }

    private static Set<String> allowed(HttpAnswer answer) {
        return new TreeSet<>(
                Arrays.asList(answer.header("Allow").orElse("").split("\\s*,\\s*", -1)));
    }
}
