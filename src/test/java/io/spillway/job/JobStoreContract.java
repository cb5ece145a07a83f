package io.spillway.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.cursor.SigningKey;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.plan.physical.PhysicalPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** What a job store does, whatever its database. */
abstract class JobStoreContract {

    static final Instant NOW = Instant.parse("2026-11-29T10:00:00.123456Z");
    private static final int REPLICAS = 8;

    /** A limit over one literal, as text: tells plans apart and holds any text. */
    static final PlanCodec CODEC =
            PlanCodec.of(
                    plan ->
                            plan instanceof PhysicalPlan.Limit limit
                                            && limit.input() instanceof PhysicalPlan.Values values
                                    ? limit.offset()
                                            + "|"
                                            + values.rows().getFirst().getFirst().value()
                                    : "",
                    text -> {
                        int bar = text.indexOf('|');
                        return plan(
                                Long.parseLong(text.substring(0, bar)), text.substring(bar + 1));
                    });

    @SuppressWarnings("NullAway.Init") // set before each test
    JobStore store;

    /** The database under test, without tables. */
    abstract DataSource emptyDatabase() throws Exception;

    @SuppressWarnings("NullAway.Init") // set before each test
    private DataSource database;

    @BeforeEach
    void open() throws Exception {
        database = emptyDatabase();
        store = migrated(database);
    }

    static JobStore migrated(DataSource database) {
        Flyway.configure().dataSource(database).load().migrate();
        return on(database);
    }

    static JobStore on(DataSource database) {
        return new JdbcJobStore(
                JdbcClient.create(database), new JdbcTransactionManager(database), CODEC);
    }

    static PhysicalPlan plan(long offset, String text) {
        ColumnType type = new ColumnType.Utf8();
        return new PhysicalPlan.Limit(
                new PhysicalPlan.Values(
                        new RowSchema(List.of(new ColumnSchema("t", type, true))),
                        List.of(List.of(new Expression.Literal(type, text)))),
                offset,
                Long.MAX_VALUE);
    }

    static Job job(String id, String owner, Instant createdAt) {
        return new Job(
                id,
                owner,
                "Umsätze 売上 \uD83D\uDE80",
                createdAt,
                Duration.ofMinutes(10),
                createdAt.plus(Duration.ofMinutes(10)),
                Job.StoredState.READY,
                null,
                "{\"plan\": {\"from\": {\"dataset\": \"t\"}}}",
                "LogicalFilter\n  LogicalScan",
                "Scan",
                plan(7, "it's ' \" \\ \n %"),
                "0123456789abcdef".repeat(4),
                4096,
                Long.MAX_VALUE,
                null);
    }

    @Test
    void aJobComesBackAsItWas() {
        Job job = job("a", "ann", NOW);
        assertThat(add(job, null)).isEqualTo(job);
        assertThat(store.find("a")).contains(job);
        assertThat(store.life("a").map(job::at)).contains(job);
        assertThat(store.life("b")).isEmpty();
        assertThat(store.find("b")).isEmpty();
        assertThat(store.find("A")).isEmpty();
        assertThat(store.find("")).isEmpty();
    }

    @Test
    void nullsComeBackAsNulls() {
        Job full = job("a", "ann", NOW);
        Job job = withPlan(full, null, full.plan());
        add(job, null);
        assertThat(store.find("a")).contains(job);
    }

    @Test
    void instantsAreKeptToTheMicrosecondAndNeverRoundedUp() {
        Job job = job("a", "ann", Instant.parse("2026-11-29T10:00:00.999999999Z"));
        Job stored = add(job, null);
        assertThat(stored.createdAt()).isEqualTo("2026-11-29T10:00:00.999999Z");
        assertThat(store.find("a")).contains(stored);
    }

    @Test
    void aPlanOfManyMegabytesFits() {
        Job job = withPlan(job("a", "ann", NOW), "large", plan(1, "größer".repeat(1_000_000)));
        add(job, null);
        assertThat(store.find("a")).contains(job);
    }

    /** PostgreSQL takes no U+0000 in text, and no driver an unpaired surrogate. */
    @Test
    void textsThatNoDatabaseTakesDoNoHarm() {
        Job full = job("a", "ann", NOW);
        Job odd =
                new Job(
                        full.id(),
                        full.owner(),
                        "name\0\uD800",
                        full.createdAt(),
                        full.ttl(),
                        full.expiresAt(),
                        full.state(),
                        null,
                        "{\"t\": \"\uDC00\"}",
                        "t = '\0'",
                        "t = '\uD800'",
                        full.plan(),
                        full.digest(),
                        full.batchRows(),
                        full.memoryLimit(),
                        full.rowCount());
        Job stored = add(odd, null);
        assertThat(stored.name()).isEqualTo("name\uFFFD\uFFFD");
        assertThat(stored.request()).isEqualTo("{\"t\": \"\\udc00\"}");
        assertThat(stored.logicalPlan()).isEqualTo("t = '\uFFFD'");
        assertThat(store.find("a")).contains(stored);

        assertThat(store.find("a\0")).isEmpty();
        assertThat(store.find("\uD800")).isEmpty();
        store.mark("a", Job.StoredState.FAILED, "at '\0'");
        assertThat(store.find("a").orElseThrow().failure()).isEqualTo("at '\uFFFD'");
        refused(ErrorCode.INVALID_PARAMETER, () -> store.list("ann", "\0", 1));
        refused(ErrorCode.INVALID_PARAMETER, () -> add(odd, key("\0", "d")));
    }

    @Test
    void aRepeatGivesTheFirstJobBack() {
        Job first = add(job("a", "ann", NOW), key("k", "d1"));
        assertThat(add(job("b", "ann", NOW.plusSeconds(5)), key("k", "d1"))).isEqualTo(first);
        assertThat(store.find("b")).isEmpty();
        assertThat(store.find("ann", key("k", "d1"))).contains(first);
        assertThat(store.find("ann", key("other", "d1"))).isEmpty();
    }

    @Test
    void aKeyWithAnotherBodyIsAConflict() {
        add(job("a", "ann", NOW), key("k", "d1"));
        refused(ErrorCode.IDEMPOTENCY_CONFLICT, () -> add(job("b", "ann", NOW), key("k", "d2")));
        refused(ErrorCode.IDEMPOTENCY_CONFLICT, () -> store.find("ann", key("k", "d2")));
        assertThat(store.find("b")).isEmpty();
    }

    @Test
    void keysBelongToTheirOwner() {
        add(job("a", "ann", NOW), key("k", "d1"));
        assertThat(store.find("bob", key("k", "d1"))).isEmpty();
        assertThat(add(job("b", "bob", NOW), key("k", "d2")).id()).isEqualTo("b");
    }

    @Test
    void jobsWithoutAKeyDoNotMeet() {
        add(job("a", "ann", NOW), null);
        add(job("b", "ann", NOW), null);
        assertThat(store.list("ann", null, 10)).hasSize(2);
    }

    @Test
    void aKeyIsFreeAgainOnceItsJobIsRemoved() {
        add(job("a", "ann", NOW), key("k", "d1"));
        store.removeEndedBefore(NOW.plus(Duration.ofDays(1)));
        assertThat(add(job("b", "ann", NOW), key("k", "d2")).id()).isEqualTo("b");
    }

    @Test
    void keysHaveALengthLimit() {
        add(job("a", "ann", NOW), key("ü".repeat(255), "d1"));
        refused(
                ErrorCode.INVALID_PARAMETER,
                () -> add(job("b", "ann", NOW), key("k".repeat(256), "d1")));
        refused(ErrorCode.INVALID_PARAMETER, () -> store.find("ann", key("", "d1")));
    }

    @Test
    void anIdIsUsedOnce() {
        add(job("a", "ann", NOW), null);
        refused(ErrorCode.STORE_FAILED, () -> add(job("a", "bob", NOW), null));
        refused(ErrorCode.STORE_FAILED, () -> add(job("a", "bob", NOW), key("k", "d")));
    }

    @Test
    void repeatsThatRaceGiveOneJob() throws Exception {
        for (int round = 0; round < 10; round++) {
            String key = "k" + round;
            List<Job> jobs =
                    race(REPLICAS, i -> add(job(key + "-" + i, "ann", NOW), key(key, "d")));
            assertThat(new HashSet<>(jobs)).hasSize(1);
        }
        assertThat(store.list("ann", null, 100)).hasSize(10);
    }

    @Test
    void ofTwoBodiesThatRaceForAKeyOneIsRefused() throws Exception {
        List<Object> answers =
                race(
                        2,
                        i -> {
                            try {
                                return add(job("j" + i, "ann", NOW), key("k", "d" + i));
                            } catch (SpillwayException e) {
                                return e.code();
                            }
                        });
        assertThat(answers)
                .contains(ErrorCode.IDEMPOTENCY_CONFLICT)
                .hasAtLeastOneElementOfType(Job.class);
    }

    @Test
    void jobsAreListedNewestFirstPageByPage() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            // Pairs are made in the same instant: then the id decides.
            add(job("j" + i, "ann", NOW.plusSeconds(i / 2)), null);
            expected.addFirst("j" + i);
        }
        add(job("x", "bob", NOW.plusSeconds(2)), null);

        List<String> listed = new ArrayList<>();
        String before = null;
        List<Job> page;
        do {
            page = store.list("ann", before, 3);
            page.forEach(j -> listed.add(j.id()));
            before = page.isEmpty() ? null : page.getLast().id();
        } while (before != null);
        assertThat(listed).isEqualTo(expected);
        assertThat(store.list("carl", null, 3)).isEmpty();
    }

    @Test
    void aListGoesOnFromAJobOfTheSameOwnerOnly() {
        add(job("a", "ann", NOW), null);
        refused(ErrorCode.INVALID_PARAMETER, () -> store.list("ann", "gone", 3));
        refused(ErrorCode.INVALID_PARAMETER, () -> store.list("bob", "a", 3));
    }

    @Test
    void canceledJobsStayAsTombstones() {
        add(job("a", "ann", NOW), null);
        store.mark("a", Job.StoredState.CANCELED, null);
        assertThat(store.find("a").orElseThrow().state()).isEqualTo(Job.StoredState.CANCELED);
        assertThat(store.list("ann", null, 3)).hasSize(1);

        store.mark("a", Job.StoredState.FAILED, "too late");
        store.renew("a", NOW, Duration.ofDays(9));
        Job job = store.find("a").orElseThrow();
        assertThat(job.state()).isEqualTo(Job.StoredState.CANCELED);
        assertThat(job.failure()).isNull();
        assertThat(job.expiresAt()).isEqualTo(NOW.plus(Duration.ofMinutes(10)));
        store.mark("gone", Job.StoredState.FAILED, "nobody");
    }

    @Test
    void failuresAreKeptAndCanBeTakenBack() {
        add(job("a", "ann", NOW), null);
        store.mark("a", Job.StoredState.FAILED, "disk");
        assertThat(store.find("a").orElseThrow().failure()).isEqualTo("disk");
        store.mark("a", Job.StoredState.READY, null);
        assertThat(store.find("a").orElseThrow()).isEqualTo(job("a", "ann", NOW));
    }

    @Test
    void openJobsAreThoseThatLive() {
        add(job("a", "ann", NOW), null);
        add(job("b", "bob", NOW.minusSeconds(600)), null);
        add(job("c", "bob", NOW.minusSeconds(599)), null);
        add(job("d", "bob", NOW), null);
        store.mark("d", Job.StoredState.CANCELED, null);
        store.mark("a", Job.StoredState.FAILED, "still there");
        assertThat(store.open(NOW)).isEqualTo(2);
    }

    @Test
    void renewalOnlyEverMovesTheEndOn() {
        add(job("a", "ann", NOW), null);
        store.renew("a", NOW.plusSeconds(60), null);
        assertThat(end("a")).isEqualTo(NOW.plusSeconds(660));
        store.renew("a", NOW.plusSeconds(60), Duration.ofSeconds(1));
        assertThat(end("a")).isEqualTo(NOW.plusSeconds(660));
        store.renew("a", NOW.plusSeconds(60), Duration.ofHours(1));
        assertThat(end("a")).isEqualTo(NOW.plusSeconds(3660));
        assertThat(store.find("a").orElseThrow().ttl()).isEqualTo(Duration.ofMinutes(10));

        store.renew("a", NOW.plusSeconds(3660), null);
        assertThat(end("a")).as("expired already").isEqualTo(NOW.plusSeconds(3660));
        store.renew("gone", NOW, null);
    }

    @Test
    void endedJobsAreRemovedOnce() throws Exception {
        add(job("old", "ann", NOW), null);
        add(job("new", "ann", NOW.plusSeconds(1)), null);
        add(job("canceled", "ann", NOW.plus(Duration.ofDays(3650))), null);
        Instant end = NOW.plusSeconds(601);
        assertThat(store.removeEndedBefore(end)).containsExactly("old");
        assertThat(store.find("old")).isEmpty();

        store.mark("canceled", Job.StoredState.CANCELED, null);
        assertThat(store.removeEndedBefore(Instant.now().minusSeconds(60)))
                .doesNotContain("canceled");
        List<List<String>> removed =
                race(REPLICAS, i -> store.removeEndedBefore(Instant.now().plusSeconds(60)));
        assertThat(removed.stream().flatMap(List::stream))
                .contains("canceled")
                .doesNotHaveDuplicates();
        assertThat(store.find("canceled")).isEmpty();
    }

    @Test
    void manyJobsAreRemovedInOneCall() {
        for (int i = 0; i < 1_001; i++) {
            add(job("j" + i, "ann", NOW), null);
        }
        assertThat(store.removeEndedBefore(NOW.plus(Duration.ofDays(1)))).hasSize(1_001);
        assertThat(store.list("ann", null, 1)).isEmpty();
    }

    @Test
    void aCountIsKeptWithItsJob() {
        add(job("a", "ann", NOW), null);
        add(job("b", "ann", NOW), null);
        assertThat(store.find("a").orElseThrow().rowCount()).isNull();
        assertThat(store.counts("a")).isEmpty();

        String counts = "größer".repeat(100_000);
        store.saveCounts("a", 7_000_000_000L, counts);
        assertThat(store.counts("a")).contains(counts);
        assertThat(store.find("a").orElseThrow().rowCount()).isEqualTo(7_000_000_000L);
        assertThat(store.life("a").orElseThrow().rowCount()).isEqualTo(7_000_000_000L);
        assertThat(store.counts("b")).isEmpty();
        assertThat(store.life("b").orElseThrow().rowCount()).isNull();

        // Every count of a job comes to the same, so the first one stays.
        store.saveCounts("a", 7_000_000_000L, "again");
        assertThat(store.counts("a")).contains(counts);
        store.saveCounts("gone", 1, "nobody's");
        assertThat(store.counts("gone")).isEmpty();
    }

    @Test
    void countsGoWithTheirJob() {
        add(job("a", "ann", NOW), null);
        store.saveCounts("a", 1, "counts");
        assertThat(store.removeEndedBefore(NOW.plus(Duration.ofDays(1)))).containsExactly("a");
        assertThat(store.counts("a")).isEmpty();
    }

    @Test
    void replicasThatRaceKeepOneCount() throws Exception {
        for (int round = 0; round < 10; round++) {
            String id = "a" + round;
            add(job(id, "ann", NOW), null);
            List<Boolean> done =
                    race(
                            REPLICAS,
                            i -> {
                                store.saveCounts(id, 5, "counts");
                                return store.counts(id).isPresent()
                                        && store.life(id).orElseThrow().rowCount() != null;
                            });
            assertThat(done).containsOnly(true);
        }
    }

    @Test
    void aRowCountThatIsKnownAtOnceIsKept() {
        Job full = job("a", "ann", NOW);
        Job counted =
                full.at(
                        new Job.Life(
                                full.owner(), full.expiresAt(), full.state(), full.failure(), 0L));
        add(counted, null);
        assertThat(store.find("a")).contains(counted);
        assertThat(store.counts("a")).isEmpty();
    }

    @Test
    void livesAreToldTogether() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            ids.add("j" + i);
            if (i % 100 == 0) {
                add(job("j" + i, "ann", NOW), null);
            }
        }
        store.mark("j300", Job.StoredState.FAILED, "disk");
        ids.add("\0");
        var lives = store.lives(ids);
        assertThat(lives).hasSize(11).containsEntry("j0", store.life("j0").orElseThrow());
        assertThat(lives.get("j300")).isEqualTo(store.life("j300").orElseThrow());
        assertThat(store.lives(List.of())).isEmpty();
    }

    @Test
    void replicasThatRaceMakeOneSigningKey() throws Exception {
        List<List<SigningKey>> seen = race(REPLICAS, i -> on(database).signingKeys());
        assertThat(new HashSet<>(seen)).hasSize(1);
        SigningKey key = seen.getFirst().getFirst();
        assertThat(seen.getFirst()).hasSize(1);
        assertThat(key.id()).matches("[A-Za-z0-9_-]{8}");
        assertThat(key.secret().getEncoded()).hasSize(32);
        assertThat(store.signingKeys()).containsExactly(key);
    }

    @Test
    void aKeyOfALaterGenerationComesFirst() {
        SigningKey first = store.signingKeys().getFirst();
        JdbcClient.create(database)
                .sql(
                        """
                        INSERT INTO signing_key (id, generation, secret, created_at)
                        SELECT 'second', 2, secret, created_at FROM signing_key
                        """)
                .update();
        assertThat(store.signingKeys())
                .extracting(SigningKey::id)
                .containsExactly("second", first.id());
    }

    static Job withPlan(Job job, @Nullable String name, PhysicalPlan plan) {
        return new Job(
                job.id(),
                job.owner(),
                name,
                job.createdAt(),
                job.ttl(),
                job.expiresAt(),
                job.state(),
                job.failure(),
                job.request(),
                job.logicalPlan(),
                job.optimizedPlan(),
                plan,
                job.digest(),
                job.batchRows(),
                job.memoryLimit(),
                job.rowCount());
    }

    /** Adds a job with its plan as the codec writes it. */
    Job add(Job job, JobStore.@Nullable IdempotencyKey key) {
        return store.add(job, CODEC.write(job.plan()), key);
    }

    static JobStore.IdempotencyKey key(String key, String digest) {
        return new JobStore.IdempotencyKey(key, digest);
    }

    private Instant end(String id) {
        return store.find(id).orElseThrow().expiresAt();
    }

    private static void refused(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        SpillwayException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private interface Racer<T> {
        T run(int number) throws Exception;
    }

    /** Lets threads go at once and gives their answers. */
    private static <T> List<T> race(int threads, Racer<T> racer) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<T>> answers =
                    IntStream.range(0, threads)
                            .mapToObj(
                                    i ->
                                            pool.submit(
                                                    (Callable<T>)
                                                            () -> {
                                                                start.await();
                                                                return racer.run(i);
                                                            }))
                            .toList();
            List<T> all = new ArrayList<>();
            for (Future<T> answer : answers) {
                all.add(answer.get(30, TimeUnit.SECONDS));
            }
            return all;
        }
    }
}
