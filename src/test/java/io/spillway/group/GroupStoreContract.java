package io.spillway.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.cursor.LeaseRef;
import io.spillway.encode.ShortReason;
import io.spillway.group.GroupStore.Claim;
import io.spillway.job.KnownRows;
import io.spillway.plan.document.BatchShape;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** What a store of groups does, whatever its database. */
abstract class GroupStoreContract {

    private static final Duration LIFE = Duration.ofMinutes(1);
    private static final Instant START = Instant.parse("2026-11-01T10:00:00.123Z");
    private static final long MANY = 1_000;

    @SuppressWarnings("NullAway.Init") // set before each test
    private GroupStore store;

    @SuppressWarnings("NullAway.Init") // set before each test
    private JdbcClient jdbc;

    /** The database under test, without tables. */
    abstract DataSource emptyDatabase() throws Exception;

    @BeforeEach
    void open() throws Exception {
        DataSource database = emptyDatabase();
        Flyway.configure().dataSource(database).load().migrate();
        jdbc = JdbcClient.create(database);
        GroupJobs.add(jdbc, "job");
        store = new JdbcGroupStore(jdbc, new JdbcTransactionManager(database));
    }

    private static Group group(String id, String name, @Nullable BatchShape batch) {
        return Group.starting(
                id,
                "job",
                name,
                START,
                batch == null ? new BatchShape(10, null, null, false) : batch,
                LIFE);
    }

    private Group added() {
        return store.add(group("id", "workers", null));
    }

    private static Claim claim(String reader, long batches) {
        return new Claim(reader, batches, LIFE);
    }

    /** Batches of ten of so many rows. */
    private static Cutter cutter(long total) {
        return new EvenCutter(10, false, new KnownRows(total, total));
    }

    private List<Lease> take(Group group, String reader, long batches, long total) {
        List<Lease> leases = new ArrayList<>(store.takeFree(group, claim(reader, batches)));
        leases.addAll(
                store.takeNew(
                        group, claim(reader, batches).less(leases.size()), cutter(total), MANY));
        return leases;
    }

    private static List<Long> rows(List<Lease> leases) {
        return leases.stream().map(lease -> lease.ref().firstRow()).toList();
    }

    private GroupProgress progress() {
        return Objects.requireNonNull(store.progress("id"));
    }

    /** Time goes by for leases, or back. */
    private void shift(Duration time) {
        jdbc.sql(
                        "UPDATE job_lease SET leased_until = leased_until - CAST(:s AS INTEGER) *"
                                + " INTERVAL '1' SECOND")
                .param("s", time.toSeconds())
                .update();
    }

    @Test
    void aGroupIsFoundAsItWasMade() {
        BatchShape capped =
                new BatchShape(96, 1_000_000L, new BatchShape.Weight("tokens", 300), true);
        Group first = store.add(group("a", "one", capped));
        assertThat(store.find("job", "one")).contains(first);
        assertThat(store.find("a")).contains(first);
        assertThat(store.add(group("b", "one", null))).isEqualTo(first);
        assertThat(store.find("b")).isEmpty();
        assertThat(store.find("job", "two")).isEmpty();
        assertThat(store.find("job", "\0")).isEmpty();
        Group second = store.add(group("c", "another", null));
        assertThat(store.list("job")).containsExactly(second, first);
        assertThat(store.count("job")).isEqualTo(2);
        store.remove("a");
        store.remove("a");
        assertThat(store.list("job")).containsExactly(second);
        assertThat(store.progress("a")).isNull();
    }

    @Test
    void batchesAreHandedOutOneBehindTheOther() {
        Group group = added();
        List<Lease> first = take(group, "ann", 2, 35);
        assertThat(rows(first)).containsExactly(0L, 10L);
        assertThat(first.getFirst())
                .satisfies(
                        lease -> {
                            assertThat(lease.ref()).isEqualTo(new LeaseRef("job", "id", 1, 0, 1));
                            assertThat(lease.rowCount()).isEqualTo(10);
                            assertThat(lease.attempt()).isEqualTo(1);
                            assertThat(lease.reader()).isEqualTo("ann");
                            assertThat(lease.shortReason()).isNull();
                            assertThat(lease.expiresAt())
                                    .isBetween(
                                            Instant.now().plusSeconds(30),
                                            Instant.now().plusSeconds(90));
                        });
        List<Lease> rest = take(group, "bob", 10, 35);
        assertThat(rows(rest)).containsExactly(20L, 30L);
        assertThat(rest.getLast().rowCount()).isEqualTo(5);
        assertThat(rest.getLast().shortReason()).isEqualTo(ShortReason.END);
        assertThat(take(group, "bob", 10, 35)).isEmpty();
        GroupProgress progress = progress();
        assertThat(progress.leased()).isEqualTo(4);
        assertThat(progress.group().endRow()).isEqualTo(35);
        assertThat(progress.group().isCut()).isTrue();
        assertThat(progress.group().isDone()).isFalse();
        assertThat(progress.nextEnd()).isBetween(Duration.ofSeconds(30), LIFE);
    }

    @Test
    void whatIsCommittedOutOfTurnCountsAtOnceAndMovesTheFrontLater() {
        Group group = added();
        List<Lease> leases = take(group, "ann", 4, 35);
        assertThat(store.commit(leases.get(2).ref())).isTrue();
        assertThat(progress().committedRows()).isEqualTo(10);
        assertThat(progress().group().committedRow()).isZero();
        assertThat(store.commit(leases.get(0).ref())).isTrue();
        assertThat(progress().group().committedRow()).isEqualTo(10);
        assertThat(progress().committedBatches()).isEqualTo(2);
        assertThat(store.commit(leases.get(1).ref())).isTrue();
        assertThat(progress().group().committedRow()).isEqualTo(30);
        assertThat(store.commit(leases.get(3).ref())).isTrue();
        assertThat(progress().group().isDone()).isTrue();
        assertThat(progress().group().committedBatches()).isEqualTo(4);
        for (Lease lease : leases) {
            assertThat(store.commit(lease.ref())).as("again").isTrue();
            assertThat(store.renew(lease.ref(), LIFE)).isEmpty();
            assertThat(store.release(lease.ref())).isFalse();
        }
        assertThat(kept()).as("leases that are kept").isZero();
    }

    private int kept() {
        return jdbc.sql("SELECT COUNT(*) FROM job_lease").query(Integer.class).single();
    }

    @Test
    void anOverdueBatchIsHandedOutAgainAndItsFirstHolderIsFenced() {
        Group group = added();
        LeaseRef old = take(group, "ann", 1, 100).getFirst().ref();
        assertThat(rows(take(group, "bob", 1, 100))).containsExactly(10L);
        shift(LIFE.plusSeconds(30));
        assertThat(progress().free()).isEqualTo(2);
        assertThat(progress().nextEnd()).isNull();
        Lease again = take(group, "bob", 1, 100).getFirst();
        assertThat(again.ref()).isEqualTo(new LeaseRef("job", "id", 1, 0, 2));
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(store.commit(old)).isFalse();
        assertThat(store.renew(old, LIFE)).isEmpty();
        assertThat(store.release(old)).isFalse();
        assertThat(store.holder(old)).contains(again);
        assertThat(progress().committedRows()).isZero();
        assertThat(store.commit(again.ref())).isTrue();
        assertThat(progress().group().committedRow()).isEqualTo(10);
        assertThat(store.commit(old)).as("behind the front").isFalse();
        assertThat(store.commit(again.ref())).as("again").isTrue();
    }

    @Test
    void whoIsOverdueMayGoOnUntilSomebodyClaims() {
        Group group = added();
        List<Lease> leases = take(group, "ann", 2, 100);
        shift(LIFE.plusSeconds(30));
        assertThat(store.commit(leases.get(0).ref())).isTrue();
        Lease renewed = store.renew(leases.get(1).ref(), LIFE.multipliedBy(2)).orElseThrow();
        assertThat(renewed.expiresAt()).isAfter(Instant.now().plus(LIFE));
        assertThat(rows(take(group, "bob", 1, 100))).containsExactly(20L);
        assertThat(store.commit(renewed.ref())).isTrue();
    }

    @Test
    void whatIsGivenBackIsNextAndNoAttempt() {
        Group group = added();
        List<Lease> leases = take(group, "ann", 2, 100);
        assertThat(store.release(leases.get(1).ref())).isTrue();
        assertThat(store.release(leases.get(1).ref())).isFalse();
        assertThat(store.commit(leases.get(1).ref())).isFalse();
        List<Lease> next = take(group, "bob", 2, 100);
        assertThat(rows(next)).containsExactly(10L, 20L);
        assertThat(next.getFirst().ref().epoch()).isEqualTo(2);
        assertThat(next.getFirst().attempt()).isEqualTo(1);
        assertThat(store.commit(leases.get(1).ref())).isFalse();
    }

    @Test
    void aResetMakesAllLeasesStaleAndHandsOutAnew() {
        Group group = added();
        List<Lease> leases = take(group, "ann", 4, 35);
        store.commit(leases.get(0).ref());
        store.commit(leases.get(1).ref());
        Group reset = store.reset("id", 10).orElseThrow();
        assertThat(reset.generation()).isEqualTo(2);
        assertThat(reset.committedRow()).isEqualTo(10);
        assertThat(reset.endRow()).isNull();
        for (Lease lease : leases) {
            assertThat(store.commit(lease.ref())).isFalse();
            assertThat(store.renew(lease.ref(), LIFE)).isEmpty();
            assertThat(store.release(lease.ref())).isFalse();
        }
        assertThat(take(group, "ann", 1, 35)).as("who knows the old generation").isEmpty();
        List<Lease> anew = take(reset, "ann", 9, 35);
        assertThat(rows(anew)).containsExactly(10L, 20L, 30L);
        assertThat(anew.getFirst().ref()).isEqualTo(new LeaseRef("job", "id", 2, 10, 1));
        anew.forEach(lease -> assertThat(store.commit(lease.ref())).isTrue());
        assertThat(progress().group().isDone()).isTrue();
        assertThat(progress().committedBatches()).isEqualTo(3);
        assertThat(store.reset("none", 0)).isEmpty();
    }

    @Test
    void noMoreIsOutThanMayBe() {
        Group group = added();
        List<Lease> leases = store.takeNew(group, claim("ann", 10), cutter(1_000), 3);
        assertThat(leases).hasSize(3);
        assertThat(store.takeNew(group, claim("bob", 10), cutter(1_000), 3)).isEmpty();
        store.commit(leases.get(1).ref());
        assertThat(store.takeNew(group, claim("bob", 10), cutter(1_000), 3)).isEmpty();
        store.commit(leases.get(0).ref());
        assertThat(rows(store.takeNew(group, claim("bob", 10), cutter(1_000), 3)))
                .containsExactly(30L, 40L);
    }

    @Test
    void aClockThatJumpsMovesNothing() {
        Group group = added();
        LeaseRef old = take(group, "ann", 1, 20).getFirst().ref();
        // Back: what should be over lasts.
        shift(Duration.ofDays(-400));
        assertThat(store.takeFree(group, claim("bob", 1))).isEmpty();
        assertThat(store.renew(old, LIFE)).isPresent();
        // Forth: what should last is over, and has one holder all the same.
        shift(Duration.ofDays(800));
        Lease now = store.takeFree(group, claim("bob", 1)).getFirst();
        assertThat(store.commit(old)).isFalse();
        assertThat(store.commit(now.ref())).isTrue();
        assertThat(progress().committedRows()).isEqualTo(10);
    }

    @Test
    void groupsGoWithTheirJob() {
        take(added(), "ann", 2, 100);
        jdbc.sql("DELETE FROM job").update();
        assertThat(store.find("id")).isEmpty();
        assertThat(kept()).isZero();
    }

    @Test
    void manyAtOnceGetEachBatchOnceAndLoseNone() throws Exception {
        Group group = added();
        int batches = 200;
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<List<Long>>> readers =
                    IntStream.range(0, 8)
                            .<Callable<List<Long>>>mapToObj(
                                    n -> () -> drain(group, "reader-" + n, batches * 10L))
                            .toList();
            List<Long> all = new ArrayList<>();
            for (Future<List<Long>> reader : threads.invokeAll(readers)) {
                all.addAll(reader.get());
            }
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, batches).mapToObj(n -> n * 10L).toList());
        }
        assertThat(progress().group().isDone()).isTrue();
        assertThat(progress().group().committedBatches()).isEqualTo(batches);
        assertThat(kept()).isZero();
    }

    private List<Long> drain(Group group, String reader, long total) {
        List<Long> committed = new ArrayList<>();
        List<Lease> leases = take(group, reader, 3, total);
        while (!leases.isEmpty()) {
            for (Lease lease : leases) {
                assertThat(store.commit(lease.ref())).isTrue();
                committed.add(lease.ref().firstRow());
            }
            leases = take(group, reader, 3, total);
        }
        return committed;
    }

    @Test
    void anOverdueBatchThatManyWantHasOneHolder() throws Exception {
        Group group = added();
        take(group, "ann", 20, 200);
        shift(LIFE.plusSeconds(30));
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<List<Lease>>> readers =
                    IntStream.range(0, 8)
                            .<Callable<List<Lease>>>mapToObj(
                                    n -> () -> store.takeFree(group, claim("reader-" + n, 5)))
                            .toList();
            List<Long> all = new ArrayList<>();
            for (Future<List<Lease>> reader : threads.invokeAll(readers)) {
                all.addAll(rows(reader.get()));
            }
            assertThat(all).doesNotHaveDuplicates();
            all.addAll(rows(store.takeFree(group, claim("last", 100))));
            assertThat(all).doesNotHaveDuplicates().hasSize(20);
        }
    }

    @Test
    void workersThatDieAndPauseCommitEachRowOnce(TestReporter reporter) throws Exception {
        work(new WorkerPool.Plan(16, 400, 40, Duration.ofMillis(200)), reporter);
    }

    @Test
    @Tag("long")
    void manyWorkersThatDieAndPauseCommitEachRowOnce(TestReporter reporter) throws Exception {
        work(new WorkerPool.Plan(64, 10_000, 500, Duration.ofSeconds(1)), reporter);
    }

    private void work(WorkerPool.Plan plan, TestReporter reporter) throws Exception {
        long seed = Long.getLong("spillway.seed", new SecureRandom().nextLong());
        reporter.publishEntry("seed", Long.toString(seed));
        long total = plan.batches() * 10L - 3;
        Group group = added();
        WorkerPool pool =
                new WorkerPool(new StoreBroker(store, group, cutter(total)), plan, held -> {});
        LeaseHistory history = pool.run(seed);
        assertThat(history.faults(total)).as("seed %d", seed).isEmpty();
        assertThat(pool.faults()).isGreaterThan(plan.faults() / 2);
        assertThat(progress().group().isDone()).isTrue();
        assertThat(progress().group().committedBatches()).isEqualTo(plan.batches());
        reporter.publishEntry(
                "faults",
                pool.faults()
                        + ", refused "
                        + history.count(LeaseHistory.Seen.REFUSED)
                        + ", unanswered "
                        + history.count(LeaseHistory.Seen.UNANSWERED)
                        + ", claimed "
                        + history.count(LeaseHistory.Seen.CLAIMED));
    }
}
