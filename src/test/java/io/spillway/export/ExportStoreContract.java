package io.spillway.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.export.ExportStore.Claim;
import io.spillway.export.ExportStore.Held;
import io.spillway.job.JobStore.IdempotencyKey;
import io.spillway.plan.document.ExportRequest;
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
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What a store of exports does, whatever its database. */
abstract class ExportStoreContract {

    private static final Duration LIFE = Duration.ofMinutes(1);
    private static final Instant START = Instant.parse("2026-11-01T10:00:00Z");
    private static final List<ExportedFile> FILES =
            List.of(new ExportedFile("a", 1, 20), new ExportedFile("b", 2, 30));

    @SuppressWarnings("NullAway.Init") // set before each test
    private ExportStore store;

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
        store = new JdbcExportStore(jdbc);
    }

    private static Export export(String id, int second) {
        return new Export(
                id,
                "ann",
                new ExportRequest("job", "/out/" + id, false, second == 1 ? 10L : null, null),
                START.plusSeconds(second),
                ExportState.QUEUED,
                0,
                0,
                List.of(),
                null,
                null);
    }

    private Export add(String id, int second) {
        Export export = export(id, second);
        store.add(export, null);
        return export;
    }

    private Claim claim(Duration life) {
        return store.claim(life).orElseThrow();
    }

    private Export find(String id) {
        return store.find(id).orElseThrow();
    }

    @Test
    void anExportIsFoundAsItWasAdded() {
        Export one = add("one", 1);
        assertThat(store.find("one")).contains(one);
        assertThat(store.find("two")).isEmpty();
        assertThat(store.find("\0")).isEmpty();
        assertThat(store.open()).isEqualTo(1);
    }

    @Test
    void listsAreInPagesAndTheOwnersAlone() {
        add("one", 1);
        add("two", 2);
        add("three", 3);
        assertThat(store.list("ann", null, 2))
                .extracting(Export::id)
                .containsExactly("three", "two");
        assertThat(store.list("ann", "two", 2)).extracting(Export::id).containsExactly("one");
        assertThat(store.list("bob", null, 2)).isEmpty();
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> store.list("bob", "two", 2))
                .matches(e -> e.code() == ErrorCode.INVALID_PARAMETER);
    }

    @Test
    void theOldestIsClaimedFirstAndByOne() {
        add("new", 2);
        add("old", 1);
        Claim first = claim(LIFE);
        assertThat(first.export().id()).isEqualTo("old");
        assertThat(first.lease()).isEqualTo(new ExportLease("old", 1));
        assertThat(first.attempts()).isEqualTo(1);
        assertThat(first.canceled()).isFalse();
        assertThat(first.isWhole()).isFalse();
        assertThat(first.export().state()).isEqualTo(ExportState.RUNNING);
        assertThat(claim(LIFE).export().id()).isEqualTo("new");
        assertThat(store.claim(LIFE)).isEmpty();
        assertThat(store.open()).isEqualTo(2);
    }

    @Test
    void manyWhoClaimAtOnceGetOneEach() throws Exception {
        for (int i = 0; i < 8; i++) {
            add("e" + i, i);
        }
        List<Callable<Optional<Claim>>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            calls.add(() -> store.claim(LIFE));
        }
        List<String> claimed = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Optional<Claim>> call : threads.invokeAll(calls)) {
                call.get().ifPresent(claim -> claimed.add(claim.export().id()));
            }
        }
        assertThat(new HashSet<>(claimed)).hasSameSizeAs(claimed).isNotEmpty();
    }

    @Test
    void whatIsWrittenIsTold() {
        add("one", 1);
        ExportLease lease = claim(LIFE).lease();
        assertThat(store.renew(lease, LIFE, 5, 70)).isEqualTo(Held.YES);
        assertThat(find("one").rows()).isEqualTo(5);
        assertThat(find("one").bytes()).isEqualTo(70);
        assertThat(store.whole(lease, LIFE, FILES)).isEqualTo(Held.YES);
        store.complete(lease);
        Export done = find("one");
        assertThat(done.state()).isEqualTo(ExportState.COMPLETED);
        assertThat(done.files()).isEqualTo(FILES);
        assertThat(done.rows()).isEqualTo(3);
        assertThat(done.bytes()).isEqualTo(50);
        assertThat(done.endedAt()).isNotNull();
        assertThat(store.open()).isZero();
        assertThat(store.claim(LIFE)).isEmpty();
    }

    @Test
    void anotherTakesOverWhenALeaseHasEnded() {
        add("one", 1);
        ExportLease lost = claim(Duration.ofMillis(50)).lease();
        store.whole(lost, Duration.ofMillis(50), FILES);
        await().until(() -> store.claim(LIFE).map(Claim::attempts).filter(n -> n == 2).isPresent());
        ExportLease lease = new ExportLease("one", 2);
        assertThat(store.renew(lost, LIFE, 1, 1)).isEqualTo(Held.LOST);
        assertThat(store.whole(lost, LIFE, List.of())).isEqualTo(Held.LOST);
        store.fail(lost, new Export.Failure(ErrorCode.DISK_FULL, "full", Map.of()));
        store.release(lost);
        store.complete(lost);
        store.ended(lost);
        assertThat(find("one").state()).isEqualTo(ExportState.RUNNING);
        assertThat(find("one").files()).isEqualTo(FILES);
        assertThat(store.renew(lease, LIFE, 1, 1)).isEqualTo(Held.YES);
    }

    @Test
    void whoTakesOverLearnsThatItIsWhole() {
        add("one", 1);
        ExportLease lost = claim(Duration.ofMillis(50)).lease();
        store.whole(lost, Duration.ofMillis(1), FILES);
        List<Claim> claims = new ArrayList<>();
        await().until(
                        () -> {
                            store.claim(LIFE).ifPresent(claims::add);
                            return !claims.isEmpty();
                        });
        assertThat(claims.getFirst().isWhole()).isTrue();
        assertThat(claims.getFirst().export().files()).isEqualTo(FILES);
    }

    @Test
    void whatIsGivenBackIsBegunAnewAndNoAttempt() {
        add("one", 1);
        ExportLease lease = claim(LIFE).lease();
        store.renew(lease, LIFE, 5, 5);
        store.release(lease);
        assertThat(find("one")).isEqualTo(export("one", 1));
        Claim again = claim(LIFE);
        assertThat(again.lease().epoch()).isEqualTo(2);
        assertThat(again.attempts()).isEqualTo(1);
    }

    @Test
    void aKeyFindsTheFirstOnesExport() {
        IdempotencyKey key = IdempotencyKey.of("k", new byte[] {1});
        assertThat(store.find("ann", key)).isEmpty();
        Export first = export("one", 1);
        assertThat(store.add(first, key)).isEqualTo(first);
        assertThat(store.add(export("two", 2), key)).isEqualTo(first);
        assertThat(store.find("ann", key)).contains(first);
        assertThat(store.find("bob", key)).isEmpty();
        assertThat(store.find("two")).isEmpty();
        add("three", 3);
        add("four", 4);
        IdempotencyKey other = IdempotencyKey.of("k", new byte[] {2});
        assertThatThrownBy(() -> store.add(export("five", 5), other))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT));
        assertThatThrownBy(() -> store.find("ann", other)).isInstanceOf(SpillwayException.class);
    }

    @Test
    void aFailureIsKept() {
        add("one", 1);
        Export.Failure failure =
                new Export.Failure(
                        ErrorCode.INVALID_CAST,
                        "no number",
                        Map.of("file", "a\u0000b.csv", "row", 7, "expected", List.of("1", "2")));
        store.fail(claim(LIFE).lease(), failure);
        assertThat(find("one").state()).isEqualTo(ExportState.FAILED);
        assertThat(find("one").failure()).isEqualTo(failure);
        assertThat(find("one").endedAt()).isNotNull();
    }

    @Test
    void whatWaitsIsCanceledAtOnce() {
        add("one", 1);
        store.cancel("one");
        assertThat(find("one").state()).isEqualTo(ExportState.CANCELED);
        assertThat(store.claim(LIFE)).isEmpty();
        assertThat(store.open()).isZero();
    }

    @Test
    void whoWritesIsToldOfACancel() {
        add("one", 1);
        ExportLease lease = claim(LIFE).lease();
        store.cancel("one");
        store.cancel("one");
        assertThat(find("one").state()).isEqualTo(ExportState.CANCELED);
        assertThat(store.renew(lease, LIFE, 1, 1)).isEqualTo(Held.CANCELED);
        assertThat(store.whole(lease, LIFE, FILES)).isEqualTo(Held.CANCELED);
        assertThat(find("one").files()).isEmpty();
        assertThat(store.open()).isEqualTo(1);
        store.ended(lease);
        assertThat(find("one").state()).isEqualTo(ExportState.CANCELED);
        assertThat(store.open()).isZero();
    }

    @Test
    void whatIsWholeOrEndedIsNotCanceled() {
        add("one", 1);
        ExportLease lease = claim(LIFE).lease();
        store.whole(lease, LIFE, FILES);
        store.cancel("one");
        assertThat(store.renew(lease, LIFE, 1, 1)).isEqualTo(Held.YES);
        store.complete(lease);
        store.cancel("one");
        assertThat(find("one").state()).isEqualTo(ExportState.COMPLETED);
    }

    @Test
    void exportsGoWithTheirJob() {
        add("one", 1);
        jdbc.sql("DELETE FROM job").update();
        assertThat(store.find("one")).isEmpty();
    }
}
