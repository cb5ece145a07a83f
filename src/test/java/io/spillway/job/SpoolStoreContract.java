package io.spillway.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.spool.SpoolId;
import io.spillway.spool.SpoolLease;
import io.spillway.spool.SpoolStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What a store of spools does, whatever its database. */
abstract class SpoolStoreContract {

    private static final Duration LIFE = Duration.ofMinutes(1);
    private static final SpoolId ID = new SpoolId("a", 0);

    @SuppressWarnings("NullAway.Init") // set before each test
    private JobStore jobs;

    @SuppressWarnings("NullAway.Init") // set before each test
    private SpoolStore store;

    /** The database under test, without tables. */
    abstract DataSource emptyDatabase() throws Exception;

    @BeforeEach
    void open() throws Exception {
        DataSource database = emptyDatabase();
        jobs = JobStoreContract.migrated(database);
        store = new JdbcSpoolStore(JdbcClient.create(database));
    }

    private SpoolLease claim() {
        return store.claim(ID, LIFE).orElseThrow();
    }

    @Test
    void aSpoolIsSeenWhenItIsComplete() {
        SpoolLease lease = claim();
        assertThat(lease).isEqualTo(new SpoolLease(ID, 1));
        assertThat(store.find(ID)).isEmpty();
        assertThat(store.renew(lease, LIFE, 7)).isTrue();
        assertThat(store.bytes()).isEqualTo(7);
        assertThat(store.find(ID)).isEmpty();
        assertThat(store.commit(lease, "{\"n\": 1}", 20)).isTrue();
        assertThat(store.find(ID)).contains(new SpoolStore.Complete(1, "{\"n\": 1}"));
        assertThat(store.find(new SpoolId("a", 1))).isEmpty();
        assertThat(store.bytes()).isEqualTo(20);
        assertThat(store.claim(ID, LIFE)).isEmpty();
        assertThat(store.renew(lease, LIFE, 1)).isFalse();
    }

    @Test
    void oneBuilderAtATime() {
        SpoolLease lease = claim();
        assertThat(store.claim(ID, LIFE)).isEmpty();
        assertThat(store.claim(new SpoolId("a", 1), LIFE)).isPresent();
        store.release(lease);
        assertThat(claim().epoch()).isEqualTo(2);
    }

    @Test
    void whoeverRacesOneWins() throws Exception {
        int many = 8;
        CyclicBarrier start = new CyclicBarrier(many);
        try (var threads = Executors.newFixedThreadPool(many)) {
            for (int round = 1; round <= 5; round++) {
                Callable<Optional<SpoolLease>> claim =
                        () -> {
                            start.await();
                            return store.claim(ID, LIFE);
                        };
                List<SpoolLease> won = new ArrayList<>();
                for (Future<Optional<SpoolLease>> one :
                        threads.invokeAll(Collections.nCopies(many, claim))) {
                    one.get().ifPresent(won::add);
                }
                assertThat(won).containsExactly(new SpoolLease(ID, round));
                store.release(won.getFirst());
            }
        }
    }

    @Test
    void aBuilderThatIsGoneLosesItsRight() {
        SpoolLease first = store.claim(ID, Duration.ofSeconds(1)).orElseThrow();
        SpoolLease next =
                await().pollInterval(Duration.ofMillis(50))
                        .atMost(Duration.ofSeconds(10))
                        .until(() -> store.claim(ID, LIFE), Optional::isPresent)
                        .orElseThrow();
        assertThat(next.epoch()).isEqualTo(2);
        assertThat(store.renew(first, LIFE, 9)).isFalse();
        assertThat(store.commit(first, "late", 9)).isFalse();
        store.release(first);
        assertThat(store.claim(ID, LIFE)).as("the second one's is good").isEmpty();
        assertThat(store.commit(next, "right", 4)).isTrue();
        assertThat(store.find(ID)).contains(new SpoolStore.Complete(2, "right"));
        assertThat(store.bytes()).isEqualTo(4);
    }

    @Test
    void aRenewedRightLivesOn() throws InterruptedException {
        SpoolLease lease = store.claim(ID, Duration.ofSeconds(1)).orElseThrow();
        for (int i = 0; i < 5; i++) {
            Thread.sleep(300);
            assertThat(store.renew(lease, Duration.ofSeconds(60), i)).isTrue();
            assertThat(store.claim(ID, LIFE)).isEmpty();
        }
    }

    @Test
    void whatIsLostIsBuiltAgainOnce() {
        assertThat(store.commit(claim(), "old", 5)).isTrue();
        store.discard(ID, 1);
        assertThat(store.find(ID)).isEmpty();
        assertThat(store.bytes()).isZero();
        assertThat(store.commit(claim(), "new", 5)).isTrue();
        store.discard(ID, 1);
        assertThat(store.find(ID)).contains(new SpoolStore.Complete(2, "new"));
    }

    @Test
    void spoolsOfJobsWhoseLifeIsOverAreTold() {
        Instant now = JobStoreContract.NOW;
        for (String id : List.of("live", "canceled", "expired")) {
            jobs.add(JobStoreContract.job(id, "ann", now), "7|x", null);
        }
        jobs.add(JobStoreContract.job("built", "ann", now.minusSeconds(3600)), "7|x", null);
        jobs.renew("live", now, Duration.ofHours(5));
        jobs.mark("canceled", Job.StoredState.CANCELED, null);
        for (String id : List.of("live", "canceled", "expired", "gone")) {
            for (int number = 0; number < 2; number++) {
                SpoolLease lease = store.claim(new SpoolId(id, number), LIFE).orElseThrow();
                assertThat(store.commit(lease, "m", 1)).isTrue();
            }
        }
        assertThat(store.claim(new SpoolId("built", 0), LIFE)).isPresent();
        Instant later = now.plus(Duration.ofHours(1));
        assertThat(store.ended(now)).containsExactlyInAnyOrder("canceled", "gone");
        assertThat(store.ended(later)).containsExactlyInAnyOrder("canceled", "expired", "gone");
        store.remove("gone");
        assertThat(store.ended(later)).containsExactlyInAnyOrder("canceled", "expired");
        assertThat(store.bytes()).isEqualTo(6);
    }
}
