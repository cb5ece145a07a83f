package io.spillway.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.spillway.delivery.DeliveryStore.Attended;
import io.spillway.delivery.DeliveryStore.Claim;
import io.spillway.delivery.capture.CapturePlace;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.JobStore.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** What a store of deliveries does, whatever its database. */
abstract class DeliveryStoreContract {

    private static final Duration LIFE = Duration.ofMinutes(1);
    private static final Instant START = Instant.parse("2026-11-01T10:00:00Z");
    private static final BatchFailure FAILURE =
            new BatchFailure("status", "The target answered 503", 503, "busy\0");

    @SuppressWarnings("NullAway.Init") // set before each test
    private DeliveryStore store;

    @SuppressWarnings("NullAway.Init") // set before each test
    private JdbcClient jdbc;

    /** The database under test, without tables. */
    abstract DataSource emptyDatabase() throws Exception;

    @BeforeEach
    void open() throws Exception {
        DataSource database = emptyDatabase();
        Flyway.configure().dataSource(database).load().migrate();
        jdbc = JdbcClient.create(database);
        jdbc.sql(
                        """
                        INSERT INTO job (id, owner, created_at, ttl_millis, expires_at, state, request,
                          logical_plan, optimized_plan, physical_plan, digest, batch_rows, memory_limit)
                        VALUES ('job', 'ann', CURRENT_TIMESTAMP, 1, CURRENT_TIMESTAMP, 'READY', '', '',
                          '', '', '', 1, 1)
                        """)
                .update();
        store =
                new JdbcDeliveryStore(
                        new NamedParameterJdbcTemplate(database),
                        new JdbcTransactionManager(database));
    }

    private static Delivery delivery(String id, int second) {
        return new Delivery(
                id,
                "ann",
                "job",
                START.plusSeconds(second),
                "{\"job\":\"job\"}",
                DeliveryState.RUNNING,
                null,
                DeliveryProgress.NONE,
                null);
    }

    private Delivery add(String id, int second) {
        Delivery delivery = delivery(id, second);
        store.add(delivery, null);
        return delivery;
    }

    private Claim claim() {
        store.hold("me", LIFE);
        return store.claim("me").orElseThrow();
    }

    private Delivery find(String id) {
        return store.find(id).orElseThrow();
    }

    private static DeliveryProgress progress(long committed, long attempts) {
        return new DeliveryProgress(
                committed, null, 0, 1, committed, 0, 0, 2, START, attempts, 1, 2.5, START);
    }

    private static StoredBatch batch(long row, long rows, StoredBatch.State state) {
        return new StoredBatch(row, rows, state, 1, 2, START, FAILURE, START);
    }

    private static DeliveryAttempt attempt(long number, long row) {
        return new DeliveryAttempt(
                number,
                row,
                10,
                1,
                START,
                Duration.ofMillis(3),
                "status",
                503,
                "The target answered 503",
                null);
    }

    private boolean record(Changes changes, DeliveryProgress progress, long oldest) {
        return store.record(List.of(new Changes.Made(changes, progress, oldest))).isEmpty();
    }

    /** Makes dead letters of batches of ten rows. */
    private void bury(DeliveryLease lease, long... rows) {
        Changes changes = new Changes(lease);
        LongStream.of(rows).forEach(row -> changes.died(batch(row, 10, StoredBatch.State.DEAD)));
        assertThat(record(changes, progress(0, 0), 0)).isTrue();
    }

    @Test
    void aDeliveryIsFoundAsItWasAdded() {
        Delivery one = add("one", 1);
        assertThat(store.find("one")).contains(one);
        assertThat(store.find("two")).isEmpty();
        assertThat(store.find("\0")).isEmpty();
        assertThat(store.find(List.of("one", "two"))).containsExactly(one);
        assertThat(store.open()).isEqualTo(1);
    }

    @Test
    void listsAreInPagesAndTheOwnersAlone() {
        add("one", 1);
        add("two", 2);
        add("three", 3);
        assertThat(store.list("ann", null, 2))
                .extracting(Delivery::id)
                .containsExactly("three", "two");
        assertThat(store.list("ann", "two", 2)).extracting(Delivery::id).containsExactly("one");
        assertThat(store.list("bob", null, 2)).isEmpty();
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> store.list("bob", "two", 2))
                .matches(e -> e.code() == ErrorCode.INVALID_PARAMETER);
    }

    @Test
    void theOldestIsClaimedFirstAndByOne() {
        add("new", 2);
        Delivery old = add("old", 1);
        Claim first = claim();
        assertThat(first.delivery()).isEqualTo(old);
        assertThat(first.lease()).isEqualTo(new DeliveryLease("old", 1));
        assertThat(first.batches()).isEmpty();
        assertThat(claim().delivery().id()).isEqualTo("new");
        assertThat(store.claim("me")).isEmpty();
        assertThat(store.claim("other")).isEmpty();
    }

    @Test
    void manyWhoClaimAtOnceGetOneEach() throws Exception {
        List<Callable<Optional<Claim>>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            add("d" + i, i);
            String holder = "p" + i;
            store.hold(holder, LIFE);
            calls.add(() -> store.claim(holder));
        }
        List<String> claimed = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Optional<Claim>> call : threads.invokeAll(calls)) {
                call.get().ifPresent(claim -> claimed.add(claim.delivery().id()));
            }
        }
        assertThat(new HashSet<>(claimed)).hasSameSizeAs(claimed).isNotEmpty();
    }

    @Test
    void whatIsRecordedIsFoundByTheNextHolder() {
        add("one", 1);
        DeliveryLease lease = claim().lease();
        Changes changes = new Changes(lease);
        StoredBatch waiting = batch(20, 10, StoredBatch.State.WAITING);
        StoredBatch range = batch(40, 30, StoredBatch.State.DELIVERED);
        StoredBatch dead = batch(10, 10, StoredBatch.State.DEAD);
        changes.keep(waiting);
        changes.keep(range);
        changes.died(dead);
        changes.add(attempt(1, 10));
        assertThat(record(changes, progress(20, 7), 0)).isTrue();
        store.release(lease);
        Claim next = claim();
        assertThat(next.lease().epoch()).isEqualTo(2);
        StoredBatch asStored =
                new StoredBatch(
                        20,
                        10,
                        StoredBatch.State.WAITING,
                        1,
                        2,
                        START,
                        new BatchFailure("status", "The target answered 503", 503, "busy\uFFFD"),
                        START);
        assertThat(next.batches()).hasSize(2).first().isEqualTo(asStored);
        DeliveryProgress progress = next.delivery().progress();
        assertThat(progress)
                .isEqualTo(
                        new DeliveryProgress(20, null, 0, 1, 20, 1, 10, 2, START, 7, 1, 0, START));
        assertThat(store.failures("one", -1, 10))
                .extracting(b -> b.firstRow())
                .containsExactly(10L);
        assertThat(store.batch("one", 20)).contains(asStored);
        assertThat(store.batch("one", 40)).isEmpty();

        Changes more = new Changes(next.lease());
        more.remove(20);
        more.remove(40);
        more.keep(batch(40, 60, StoredBatch.State.DELIVERED));
        more.keep(batch(30, 5, StoredBatch.State.WAITING));
        assertThat(record(more, progress(20, 8), 0)).isTrue();
        store.release(next.lease());
        assertThat(claim().batches())
                .extracting(StoredBatch::firstRow, StoredBatch::rows)
                .containsExactly(tuple(30L, 5L), tuple(40L, 60L));
    }

    @Test
    void whatIsCapturedIsKeptWithTheBatchesAndFoundInTheEnd() {
        CaptureStore captures = new CaptureStore(jdbc);
        store.add(delivery("one", 1), null, "mine");
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> store.add(delivery("two", 2), null, "mine"))
                .matches(e -> e.code() == ErrorCode.DATASET_EXISTS);
        assertThat(store.find("two")).as("neither is kept").isEmpty();
        assertThat(captures.names("ann")).as("it is not there yet").isEmpty();
        assertThat(captures.find("ann", "mine")).isEmpty();

        DeliveryLease lease = claim().lease();
        List<CapturePlace> places =
                LongStream.range(0, 1_500)
                        .mapToObj(n -> CapturePlace.parse("%d/10/1-0/7/9/SI".formatted(n * 10)))
                        .toList();
        Changes changes = new Changes(lease);
        changes.moved();
        changes.placed(places.reversed());
        Changes late = new Changes(new DeliveryLease("one", 0));
        late.placed(List.of(CapturePlace.parse("20000/10/1-0/7/9/SI")));
        assertThat(record(changes, progress(0, 0), 0)).isTrue();
        assertThat(record(late, progress(0, 0), 0)).isFalse();
        assertThat(captures.places("one")).containsExactlyElementsOf(places);

        CapturedFile file = new CapturedFile("file:///a.parquet", 15_000, 99);
        store.pause("one");
        assertThat(store.complete(lease, "mine", file)).isFalse();
        assertThat(captures.names("ann")).as("neither or both").isEmpty();
        store.resume("one");
        assertThat(store.attend(lease, 1)).isPresent();
        assertThat(store.complete(lease, "mine", file)).isTrue();
        assertThat(find("one").state()).isEqualTo(DeliveryState.COMPLETED);
        assertThat(captures.dataset("one")).contains(new CapturedDataset("one", "mine", file));
        assertThat(captures.names("ann")).containsExactly("mine");
        assertThat(captures.find("ann", "mine").orElseThrow().paths()).containsExactly(file.uri());
        assertThat(captures.find("bob", "mine")).isEmpty();
        captures.withdraw("one");
        captures.forget("one");
        assertThat(captures.places("one")).isEmpty();
        assertThat(captures.remove(new CapturedDataset("one", "mine", file))).isTrue();
        assertThat(captures.names("ann")).isEmpty();
    }

    @Test
    void aNameWhoseDeliveryHasGoneIsFree() {
        store.add(delivery("one", 1), null, "mine");
        jdbc.sql("DELETE FROM delivery").update();
        store.add(delivery("two", 2), null, "mine");
        assertThat(new CaptureStore(jdbc).dataset("ann", "mine"))
                .contains(new CapturedDataset("two", "mine", null));
    }

    @Test
    void oldAttemptsGoButThoseOfDeadLetters() {
        add("one", 1);
        DeliveryLease lease = claim().lease();
        Changes changes = new Changes(lease);
        LongStream.rangeClosed(1, 5).forEach(number -> changes.add(attempt(number, number * 10)));
        changes.died(batch(20, 10, StoredBatch.State.DEAD));
        record(changes, progress(0, 5), 5);
        assertThat(store.attempts("one", Long.MAX_VALUE, 10))
                .containsExactly(attempt(5, 50), attempt(2, 20));
        assertThat(store.attempts("one", 5, 10)).containsExactly(attempt(2, 20));
        assertThat(store.attempts("one", Long.MAX_VALUE, 1)).containsExactly(attempt(5, 50));
    }

    @Test
    void anotherTakesOverFromTheDead() {
        add("one", 1);
        store.hold("dead", Duration.ofMillis(50));
        DeliveryLease lost = store.claim("dead").orElseThrow().lease();
        store.hold("me", LIFE);
        List<Claim> claims = new ArrayList<>();
        await().until(
                        () -> {
                            store.claim("me").ifPresent(claims::add);
                            return !claims.isEmpty();
                        });
        Changes late = new Changes(lost);
        late.keep(batch(0, 10, StoredBatch.State.WAITING));
        Changes mine = new Changes(claims.getFirst().lease());
        mine.moved();
        assertThat(
                        store.record(
                                List.of(
                                        new Changes.Made(late, progress(99, 99), 0),
                                        new Changes.Made(mine, progress(5, 5), 0))))
                .containsExactly(lost);
        assertThat(find("one").progress().committedRow()).isEqualTo(5);
        assertThat(store.batch("one", 0)).isEmpty();
        assertThat(store.attend(lost, 10)).isEmpty();
        assertThat(store.complete(lost)).as("nothing more to do").isTrue();
        store.release(lost);
        assertThat(find("one").state()).isEqualTo(DeliveryState.RUNNING);
        assertThat(store.claim("other")).isEmpty();
    }

    @Test
    void whoSendsLearnsWhatOthersChange() {
        add("one", 1);
        DeliveryLease lease = claim().lease();
        assertThat(store.changed("me")).isEmpty();
        store.pause("one");
        assertThat(store.changed("me")).containsExactly("one");
        assertThat(store.complete(lease)).isFalse();
        assertThat(store.attend(lease, 10)).contains(new Attended(DeliveryState.PAUSED, List.of()));
        assertThat(store.changed("me")).isEmpty();
        assertThat(store.complete(lease)).as("it rests").isFalse();
        store.release(lease);
        assertThat(store.claim("me")).isEmpty();
        assertThat(find("one").state()).isEqualTo(DeliveryState.PAUSED);
        store.resume("one");
        assertThat(claim().lease().epoch()).isEqualTo(2);
    }

    @Test
    void anEndIsKept() {
        add("one", 1);
        DeliveryLease lease = claim().lease();
        DeliveryReason reason =
                new DeliveryReason("file-corrupt", "bad\0", Map.of("file", "a\0b", "row", 7));
        assertThat(store.end(lease, DeliveryState.FAILED, reason)).isTrue();
        Delivery ended = find("one");
        assertThat(ended.state()).isEqualTo(DeliveryState.FAILED);
        assertThat(ended.reason())
                .isEqualTo(
                        new DeliveryReason(
                                "file-corrupt", "bad\uFFFD", Map.of("file", "a\0b", "row", 7)));
        assertThat(ended.endedAt()).isNotNull();
        assertThat(store.open()).isZero();
        store.pause("one");
        store.resume("one");
        store.cancel("one");
        assertThat(find("one")).isEqualTo(ended);
    }

    @Test
    void aDisabledOneIsResumed() {
        add("one", 1);
        store.end(claim().lease(), DeliveryState.DISABLED, DeliveryReason.noSuccess("noon"));
        assertThat(find("one").state()).isEqualTo(DeliveryState.DISABLED);
        assertThat(find("one").endedAt()).isNull();
        assertThat(store.open()).isEqualTo(1);
        assertThat(store.claim("me")).isEmpty();
        store.resume("one");
        assertThat(find("one").reason()).isNull();
        assertThat(claim().delivery().id()).isEqualTo("one");
    }

    @Test
    void aCanceledOneIsClaimedByNobody() {
        add("one", 1);
        store.cancel("one");
        assertThat(find("one").state()).isEqualTo(DeliveryState.CANCELED);
        assertThat(find("one").endedAt()).isNotNull();
        store.hold("me", LIFE);
        assertThat(store.claim("me")).isEmpty();
    }

    @Test
    void deadLettersAreReplayed() {
        add("one", 1);
        DeliveryLease lease = claim().lease();
        bury(lease, 0, 10, 20);
        assertThat(store.complete(lease)).isTrue();
        assertThat(find("one").state()).isEqualTo(DeliveryState.COMPLETED_WITH_FAILURES);
        assertThat(find("one").progress().deadRows()).isEqualTo(30);
        assertThat(store.failures("one", 0, 1))
                .extracting(StoredBatch::firstRow)
                .containsExactly(10L);

        assertThat(store.replay("one", List.of(10L, 30L))).isEqualTo(1);
        Delivery again = find("one");
        assertThat(again.state()).isEqualTo(DeliveryState.RUNNING);
        assertThat(again.endedAt()).isNull();
        assertThat(again.progress().deadBatches()).isEqualTo(2);
        assertThat(again.progress().deadRows()).isEqualTo(20);
        Claim claim = claim();
        assertThat(claim.batches())
                .filteredOn(batch -> batch.state() == StoredBatch.State.WAITING)
                .singleElement()
                .matches(batch -> batch.firstRow() == 10 && batch.attempts() == 0);

        assertThat(store.replay("one", null)).isEqualTo(2);
        assertThat(store.complete(claim.lease())).as("others have changed it").isFalse();
        assertThat(store.attend(claim.lease(), 2).orElseThrow().waiting())
                .extracting(StoredBatch::firstRow)
                .containsExactly(0L, 10L);
        assertThat(find("one").progress().deadBatches()).isZero();
        store.cancel("one");
        assertThat(store.replay("one", null)).isZero();
    }

    @Test
    void withoutDeadLettersAllIsDelivered() {
        add("one", 1);
        assertThat(store.complete(claim().lease())).isTrue();
        assertThat(find("one").state()).isEqualTo(DeliveryState.COMPLETED);
    }

    @Test
    void aKeyFindsTheFirstOnesDelivery() {
        IdempotencyKey key = IdempotencyKey.of("k", new byte[] {1});
        assertThat(store.find("ann", key)).isEmpty();
        Delivery first = delivery("one", 1);
        assertThat(store.add(first, key)).isEqualTo(first);
        assertThat(store.add(delivery("two", 2), key)).isEqualTo(first);
        assertThat(store.find("ann", key)).contains(first);
        assertThat(store.find("bob", key)).isEmpty();
        assertThat(store.find("two")).isEmpty();
        IdempotencyKey other = IdempotencyKey.of("k", new byte[] {2});
        assertThatThrownBy(() -> store.add(delivery("five", 5), other))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT));
    }

    @Test
    void deliveriesGoWithTheirJob() {
        add("one", 1);
        DeliveryLease lease = claim().lease();
        Changes changes = new Changes(lease);
        changes.add(attempt(1, 0));
        changes.keep(batch(0, 10, StoredBatch.State.WAITING));
        record(changes, progress(0, 1), 0);
        jdbc.sql("DELETE FROM job").update();
        assertThat(store.find("one")).isEmpty();
        assertThat(store.attempts("one", 10, 10)).isEmpty();
    }
}
