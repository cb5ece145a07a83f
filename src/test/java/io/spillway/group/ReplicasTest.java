package io.spillway.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.Groups;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.PostgresServer;
import io.spillway.testing.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two processes on one PostgreSQL and one spool: whoever is cut off from one goes on at the other.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasTest {

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Rows that are computed once, and then lie in the spool. */
    private static final String SORTED =
            "{\"plan\": {\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\","
                    + " \"rows\": 5003}, {\"op\": \"sort\", \"by\": [\"delay DESC\"]}]}}";

    @TempDir static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private PostgresServer postgres;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private Replica one;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private Replica two;

    @BeforeAll
    void start() throws IOException {
        postgres = PostgresServer.start();
        List<String> settings =
                List.of(
                        "--spillway.store.url=" + postgres.url(),
                        "--spillway.store.username=postgres",
                        "--spillway.spool.uri=" + folder.resolve("spool"),
                        "--spillway.datasets.flights.format=parquet",
                        "--spillway.datasets.flights.paths[0]="
                                + Path.of("samples/flights-3m.parquet").toAbsolutePath());
        one = new Replica(folder.resolve("one"), settings);
        two = new Replica(folder.resolve("two"), settings);
    }

    @AfterAll
    void stop() throws Exception {
        one.close();
        two.close();
        postgres.close();
    }

    private static String submit(Replica replica) {
        HttpAnswer answer = replica.http().post("/v1/jobs", JSON, SORTED);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return MAPPER.readTree(answer.text()).required("id").stringValue();
    }

    private static List<String> lines(Replica replica, String path) {
        HttpAnswer answer = replica.http().get(path, NDJSON);
        while (answer.status() == 202) {
            answer = replica.http().get(path, NDJSON);
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text().lines().toList();
    }

    @Test
    void whoIsCutOffGoesOnAtTheOtherWithCursorEventAndLease() throws Exception {
        String job = submit(one);
        String rows = "/v1/jobs/" + job + "/rows";
        List<String> all = lines(one, rows);
        Groups here = new Groups(one.http(), job, "workers").made("{\"batch\": {\"rows\": 100}}");
        Map<Long, List<String>> committed = new TreeMap<>();
        List<JsonNode> leases = here.claim("ann", 3);
        committed.put(0L, here.rows(leases.get(0)));
        here.commit(leases.get(0));
        String next =
                MAPPER.readTree(one.http().get(rows + "?limit=700", JSON).text())
                        .at("/next/href")
                        .stringValue();
        List<Event> seen = new ArrayList<>();
        try (EventStream events = EventStream.open(one.port(), rows + "?batch=50", null)) {
            for (int i = 0; i < 7; i++) {
                seen.add(events.next("rows"));
            }
            one.kill();
        }
        // With the cursor.
        JsonNode page = MAPPER.readTree(two.http().get(next, JSON).text());
        assertThat(page.required("offset").intValue()).isEqualTo(700);
        assertThat(page.required("rows").valueStream().map(JsonNode::toString).toList())
                .isEqualTo(all.subList(700, 1_400));
        // With the id of the last event.
        try (EventStream events =
                EventStream.open(two.port(), rows + "?batch=50", seen.getLast().id())) {
            for (Event event : events.rest()) {
                if (event.type().equals("rows")) {
                    seen.add(event);
                }
            }
        }
        assertThat(rows(seen)).isEqualTo(all);
        // With the leases, whose holder says again what it may have said already.
        Groups there = new Groups(two.http(), job, "workers");
        there.commit(leases.get(0));
        assertThat(there.use(leases.get(1), "renew").status()).isEqualTo(200);
        for (JsonNode lease : leases.subList(1, 3)) {
            committed.put(lease.required("firstRow").longValue(), there.rows(lease));
            there.commit(lease);
        }
        HttpAnswer more = there.ask("ann", 5, "");
        while (more.status() == 200) {
            for (JsonNode lease : Groups.leases(more)) {
                committed.put(lease.required("firstRow").longValue(), there.rows(lease));
                there.commit(lease);
            }
            more = there.ask("ann", 5, "");
        }
        assertThat(more.status()).isEqualTo(410);
        assertThat(committed.values().stream().flatMap(List::stream).toList()).isEqualTo(all);
        one.start();
        assertThat(lines(one, rows)).isEqualTo(all);
    }

    private static List<String> rows(List<Event> events) {
        return events.stream()
                .flatMap(event -> MAPPER.readTree(event.data()).valueStream())
                .map(JsonNode::toString)
                .toList();
    }

    @Test
    void aRollingRestartLosesNoReader(TestReporter reporter) throws Exception {
        long seed = Long.getLong("spillway.seed", new SecureRandom().nextLong());
        reporter.publishEntry("seed", Long.toString(seed));
        String job = submit(two);
        String rows = "/v1/jobs/" + job + "/rows";
        List<String> all = lines(two, rows);
        WorkerPool.Plan plan = new WorkerPool.Plan(6, 501, 20, Duration.ofSeconds(4));
        new Groups(two.http(), job, "workers")
                .made("{\"batch\": {\"rows\": 10}, \"leaseTime\": \"4s\"}");
        HttpBroker broker = new HttpBroker(List.of(one.http(), two.http()), job, "workers");
        Map<Long, List<String>> read = new ConcurrentSkipListMap<>();
        WorkerPool pool =
                new WorkerPool(
                        broker,
                        plan,
                        held -> {
                            read.put(held.firstRow(), broker.rows(held));
                            pause();
                        });
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<LeaseHistory> history = threads.submit(() -> pool.run(seed));
            Future<List<Event>> events = threads.submit(() -> patientReader(rows));
            one.stop();
            one.start();
            two.stop();
            two.start();
            one.kill();
            one.start();
            assertThat(history.get().faults(all.size())).as("seed %d", seed).isEmpty();
            assertThat(rows(events.get())).isEqualTo(all);
        }
        assertThat(read.values().stream().flatMap(List::stream).toList()).isEqualTo(all);
    }

    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads events slowly, and connects again, elsewhere, whenever it is cut off. */
    private List<Event> patientReader(String rows) throws Exception {
        List<Event> seen = new ArrayList<>();
        String lastId = null;
        for (int turn = 0; ; turn++) {
            Replica replica = turn % 2 == 0 ? one : two;
            try (EventStream events =
                    EventStream.open(replica.port(), rows + "?batch=20", lastId)) {
                for (Event event = events.next(); event != null; event = events.next()) {
                    if (event.type().equals("end")) {
                        return seen;
                    }
                    if (event.type().equals("rows")) {
                        seen.add(event);
                        lastId = event.id();
                    }
                    pause();
                }
            } catch (IOException | AssertionError e) {
                pause();
            }
        }
    }
}
