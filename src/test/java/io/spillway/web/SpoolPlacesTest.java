package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.spool.SpoolManager;
import io.spillway.spool.SpoolStore;
import io.spillway.testing.HdfsServer;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.S3Server;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Results that are kept on an object store and on HDFS. */
class SpoolPlacesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String PLAN =
            """
            {"from": {"dataset": "flights"},
             "steps": [{"op": "filter", "where": "distance > 1600"},
                       {"op": "sort", "by": ["delay DESC NULLS LAST", "origin"]}]}
            """;

    @TempDir Path folder;

    private SpillwayServer.Builder service(String home) {
        return SpillwayServer.builder()
                .home(folder.resolve(home))
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath());
    }

    private static String counted(SpillwayServer server, String job) {
        HttpAnswer answer = server.http().post("/v1/jobs/" + job + ":count?wait=60s", JSON, "");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text()).required("rowCount").toString();
    }

    private void isKeptThere(SpillwayServer.Builder there) {
        String expected;
        String count;
        try (SpillwayServer local = service("local").start()) {
            String job = local.submit(PLAN);
            count = counted(local, job);
            expected = local.page(job, "limit=100&offset=50000&rows=arrays");
        }
        String job;
        try (SpillwayServer server = there.start()) {
            SpoolManager spool = server.bean("spoolManager", SpoolManager.class);
            job = server.submit(PLAN);
            assertThat(counted(server, job)).isEqualTo(count);
            assertThat(spool.written()).isPositive();
            assertThat(rows(server.page(job, "limit=100&offset=50000&rows=arrays")))
                    .isEqualTo(rows(expected));
        }
        assertThat(folder.resolve("home/spool")).doesNotExist();
        try (SpillwayServer again = there.start()) {
            SpoolManager spool = again.bean("spoolManager", SpoolManager.class);
            assertThat(rows(again.page(job, "limit=100&offset=50000&rows=arrays")))
                    .isEqualTo(rows(expected));
            assertThat(again.lines(job, "")).hasSize(Integer.parseInt(count));
            assertThat(spool.written()).as("it was kept").isZero();
            again.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            SpoolStore store = again.bean("spoolStore", SpoolStore.class);
            await().atMost(SOON).until(() -> store.bytes() == 0);
        }
    }

    private static String rows(String page) {
        return MAPPER.readTree(page).required("rows").toString();
    }

    @Test
    void aResultIsKeptOnAnObjectStore() {
        S3Server s3 = S3Server.shared();
        SpillwayServer.Builder there =
                service("home").set("spillway.spool.uri", "s3a://" + s3.bucket() + "/some/spool");
        s3.properties(s3.port())
                .forEach(
                        (name, value) ->
                                there.set("spillway.sources.hadoop.properties." + name, value));
        isKeptThere(there);
    }

    @Test
    @Tag("long")
    void aResultIsKeptOnHdfs() {
        isKeptThere(
                service("home").set("spillway.spool.uri", HdfsServer.shared().uri() + "/spool"));
    }
}
