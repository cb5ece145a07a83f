package io.spillway.job;

import static io.spillway.job.StoreFailures.run;

import io.spillway.cursor.SigningKey;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The job store in a relational database: H2 for one process, PostgreSQL where replicas share jobs.
 * Every race is decided by the database: by a unique constraint, or by the condition of an UPDATE
 * or DELETE. The schema is made by the migrations in {@code db/migration}.
 *
 * <p>Instants are kept to the microsecond and lives to the millisecond. A database that fails, or
 * cannot be reached, gives {@code STORE_FAILED}.
 */
public final class JdbcJobStore implements JobStore {

    private static final int REMOVED_AT_ONCE = 500;
    private static final int ASKED_AT_ONCE = 500;

    /** The columns of a {@link Job.Life}. */
    private static final String LIFE = "owner, expires_at, state, failure, row_count";

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final OwnedTable<Job> table;
    private final SigningKeys signingKeys;

    /**
     * @param jdbc of a database whose schema is migrated
     * @param transactions of the same database
     */
    public JdbcJobStore(JdbcClient jdbc, PlatformTransactionManager transactions, PlanCodec plans) {
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactions);
        this.table = new OwnedTable<>(jdbc, "job", "job", new JobRows(plans));
        this.signingKeys = new SigningKeys(jdbc);
    }

    @Override
    public Job add(Job job, String planText, @Nullable IdempotencyKey key) {
        Job storable = JobRows.storable(job);
        return table.add(storable, job.owner(), key, () -> insert(storable, planText, key));
    }

    @Override
    public Optional<Job> find(String owner, IdempotencyKey key) {
        return table.find(owner, key);
    }

    @Override
    public Optional<Job> find(String id) {
        return table.find(id);
    }

    @Override
    public Optional<Job.Life> life(String id) {
        if (!StorableText.isStorable(id)) {
            return Optional.empty();
        }
        return run(
                () ->
                        jdbc.sql("SELECT " + LIFE + " FROM job WHERE id = :id")
                                .param("id", id)
                                .query((row, number) -> JobRows.life(row))
                                .optional());
    }

    @Override
    public Map<String, Job.Life> lives(Collection<String> ids) {
        Map<String, Job.Life> lives = new HashMap<>();
        List<String> storable = ids.stream().filter(StorableText::isStorable).toList();
        for (int from = 0; from < storable.size(); from += ASKED_AT_ONCE) {
            List<String> some =
                    storable.subList(from, Math.min(from + ASKED_AT_ONCE, storable.size()));
            run(
                    () -> {
                        jdbc.sql("SELECT id, " + LIFE + " FROM job WHERE id IN (:ids)")
                                .param("ids", some)
                                .query(
                                        row -> {
                                            lives.put(row.getString("id"), JobRows.life(row));
                                        });
                        return null;
                    });
        }
        return lives;
    }

    /**
     * {@inheritDoc}
     *
     * @throws SpillwayException {@code INVALID_PARAMETER} if the owner has no job {@code before}
     */
    @Override
    public List<Job> list(String owner, @Nullable String before, int limit) {
        return table.list(owner, before, limit);
    }

    @Override
    public int open(Instant now) {
        return run(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT COUNT(*) FROM job
                                        WHERE expires_at > :now AND state <> 'CANCELED'
                                        """)
                                .param("now", JobRows.timestamp(now))
                                .query(Integer.class)
                                .single());
    }

    @Override
    public void renew(String id, Instant now, @Nullable Duration ttl) {
        run(
                () -> {
                    Optional<Duration> life = ttl == null ? storedTtl(id) : Optional.of(ttl);
                    return life.map(
                            l ->
                                    jdbc.sql(
                                                    """
                                                    UPDATE job SET expires_at = :end
                                                    WHERE id = :id AND state <> 'CANCELED'
                                                      AND expires_at > :now AND expires_at < :end
                                                    """)
                                            .param("id", id)
                                            .param("now", JobRows.timestamp(now))
                                            .param("end", JobRows.timestamp(now.plus(l)))
                                            .update());
                });
    }

    @Override
    public void mark(String id, Job.StoredState state, @Nullable String failure) {
        String ended =
                switch (state) {
                    case READY, FAILED -> "NULL";
                    case CANCELED -> "CURRENT_TIMESTAMP";
                };
        run(
                () ->
                        jdbc.sql(
                                        """
                                        UPDATE job SET state = :state, failure = :failure, ended_at = %s
                                        WHERE id = :id AND state <> 'CANCELED'
                                        """
                                                .formatted(ended))
                                .param("id", id)
                                .param("state", state.name())
                                .param(
                                        "failure",
                                        failure == null ? null : StorableText.forPeople(failure))
                                .update());
    }

    @Override
    public void saveCounts(String id, long rows, String counts) {
        if (!StorableText.isStorable(id)) {
            return;
        }
        run(
                () -> {
                    try {
                        jdbc.sql(
                                        """
                                        INSERT INTO job_counts (job_id, counts)
                                        SELECT id, :counts FROM job
                                        WHERE id = :id AND NOT EXISTS
                                          (SELECT 1 FROM job_counts WHERE job_id = :id)
                                        """)
                                .param("id", id)
                                .param("counts", counts)
                                .update();
                    } catch (DataIntegrityViolationException e) {
                        // Another replica kept the same just now, or the job was removed.
                    }
                    // Last, so that whoever sees a row count finds the counts as well.
                    return jdbc.sql("UPDATE job SET row_count = :rows WHERE id = :id")
                            .param("id", id)
                            .param("rows", rows)
                            .update();
                });
    }

    @Override
    public Optional<String> counts(String id) {
        if (!StorableText.isStorable(id)) {
            return Optional.empty();
        }
        return run(
                () ->
                        jdbc.sql("SELECT counts FROM job_counts WHERE job_id = :id")
                                .param("id", id)
                                .query((row, number) -> row.getString("counts"))
                                .optional());
    }

    @Override
    public List<String> removeEndedBefore(Instant end) {
        List<String> removed = new ArrayList<>();
        List<String> some;
        do {
            some = run(() -> removeSome(end));
            removed.addAll(some);
        } while (some.size() == REMOVED_AT_ONCE);
        return List.copyOf(removed);
    }

    @Override
    public List<SigningKey> signingKeys() {
        return run(signingKeys::newestFirst);
    }

    private void insert(Job job, String planText, @Nullable IdempotencyKey key) {
        Map<String, @Nullable Object> columns = JobRows.columns(job, planText);
        columns.put("idempotency_key", key == null ? null : key.key());
        columns.put("idempotency_digest", key == null ? null : key.bodyDigest());
        String names = String.join(", ", columns.keySet());
        String values =
                columns.keySet().stream().map(c -> ":" + c).collect(Collectors.joining(", "));
        jdbc.sql("INSERT INTO job (%s) VALUES (%s)".formatted(names, values))
                .params(columns)
                .update();
    }

    private Optional<Duration> storedTtl(String id) {
        return jdbc.sql("SELECT ttl_millis FROM job WHERE id = :id")
                .param("id", id)
                .query(Long.class)
                .optional()
                .map(Duration::ofMillis);
    }

    /**
     * Removes up to {@value #REMOVED_AT_ONCE} ended jobs. Rows that another replica is removing are
     * left to it, so that each id is told once.
     */
    private List<String> removeSome(Instant end) {
        return transaction.execute(
                status -> {
                    List<String> ids =
                            jdbc.sql(
                                            """
                                            SELECT id FROM job WHERE expires_at < :end OR ended_at < :end
                                            LIMIT :limit FOR UPDATE SKIP LOCKED
                                            """)
                                    .param("end", JobRows.timestamp(end))
                                    .param("limit", REMOVED_AT_ONCE)
                                    .query((row, number) -> row.getString("id"))
                                    .list();
                    if (!ids.isEmpty()) {
                        jdbc.sql("DELETE FROM job WHERE id IN (:ids)").param("ids", ids).update();
                    }
                    return ids;
                });
    }
}
