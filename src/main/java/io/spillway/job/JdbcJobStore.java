package io.spillway.job;

import io.spillway.cursor.SigningKey;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
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

    /** The longest Idempotency-Key, in characters. */
    public static final int MAX_IDEMPOTENCY_KEY = 255;

    private static final int REMOVED_AT_ONCE = 500;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final JobRows rows;
    private final SigningKeys signingKeys;

    /**
     * @param jdbc of a database whose schema is migrated
     * @param transactions of the same database
     */
    public JdbcJobStore(JdbcClient jdbc, PlatformTransactionManager transactions, PlanCodec plans) {
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactions);
        this.rows = new JobRows(plans);
        this.signingKeys = new SigningKeys(jdbc);
    }

    @Override
    public Job add(Job job, @Nullable IdempotencyKey key) {
        check(key);
        Job storable = JobRows.storable(job);
        return run(
                () -> {
                    try {
                        insert(storable, key);
                        return storable;
                    } catch (DuplicateKeyException e) {
                        // Not inside one transaction with the insert: PostgreSQL reads nothing more
                        // in a transaction that has failed.
                        return existing(job.owner(), key).orElseThrow(() -> e);
                    }
                });
    }

    @Override
    public Optional<Job> find(String owner, IdempotencyKey key) {
        check(key);
        return run(() -> existing(owner, key));
    }

    @Override
    public Optional<Job> find(String id) {
        if (!StorableText.isStorable(id)) {
            return Optional.empty();
        }
        return run(
                () ->
                        jdbc.sql("SELECT * FROM job WHERE id = :id")
                                .param("id", id)
                                .query(rows)
                                .optional());
    }

    @Override
    public Optional<Job.Life> life(String id) {
        if (!StorableText.isStorable(id)) {
            return Optional.empty();
        }
        return run(
                () ->
                        jdbc.sql("SELECT owner, expires_at, state, failure FROM job WHERE id = :id")
                                .param("id", id)
                                .query((row, number) -> JobRows.life(row))
                                .optional());
    }

    /**
     * {@inheritDoc}
     *
     * @throws SpillwayException {@code INVALID_PARAMETER} if the owner has no job {@code before}
     */
    @Override
    public List<Job> list(String owner, @Nullable String before, int limit) {
        return run(
                () -> {
                    if (before == null) {
                        return jdbc.sql(
                                        """
                                        SELECT * FROM job WHERE owner = :owner
                                        ORDER BY created_at DESC, id DESC LIMIT :limit
                                        """)
                                .param("owner", owner)
                                .param("limit", limit)
                                .query(rows)
                                .list();
                    }
                    if (!has(owner, before)) {
                        throw new SpillwayException(
                                        ErrorCode.INVALID_PARAMETER,
                                        "There is no such job to go on from")
                                .with(SpillwayException.PARAMETER, "before");
                    }
                    return jdbc.sql(
                                    """
                                    SELECT job.* FROM job
                                    JOIN job last ON last.id = :before
                                    WHERE job.owner = :owner
                                      AND (job.created_at < last.created_at
                                           OR (job.created_at = last.created_at AND job.id < last.id))
                                    ORDER BY job.created_at DESC, job.id DESC LIMIT :limit
                                    """)
                            .param("before", before)
                            .param("owner", owner)
                            .param("limit", limit)
                            .query(rows)
                            .list();
                });
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

    private void insert(Job job, @Nullable IdempotencyKey key) {
        Map<String, @Nullable Object> columns = rows.columns(job);
        columns.put("idempotency_key", key == null ? null : key.key());
        columns.put("idempotency_digest", key == null ? null : key.bodyDigest());
        String names = String.join(", ", columns.keySet());
        String values =
                columns.keySet().stream().map(c -> ":" + c).collect(Collectors.joining(", "));
        jdbc.sql("INSERT INTO job (%s) VALUES (%s)".formatted(names, values))
                .params(columns)
                .update();
    }

    private Optional<Job> existing(String owner, @Nullable IdempotencyKey key) {
        if (key == null) {
            return Optional.empty();
        }
        record Match(Job job, String bodyDigest) {}
        Optional<Match> match =
                jdbc.sql("SELECT * FROM job WHERE owner = :owner AND idempotency_key = :key")
                        .param("owner", owner)
                        .param("key", key.key())
                        .query(
                                (row, number) ->
                                        new Match(
                                                rows.mapRow(row, number),
                                                row.getString("idempotency_digest")))
                        .optional();
        if (match.isPresent() && !match.get().bodyDigest().equals(key.bodyDigest())) {
            throw new SpillwayException(
                    ErrorCode.IDEMPOTENCY_CONFLICT,
                    "This Idempotency-Key came with another body before");
        }
        return match.map(Match::job);
    }

    private boolean has(String owner, String id) {
        return StorableText.isStorable(id)
                && jdbc.sql("SELECT COUNT(*) FROM job WHERE id = :id AND owner = :owner")
                                .param("id", id)
                                .param("owner", owner)
                                .query(Integer.class)
                                .single()
                        > 0;
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

    private static void check(@Nullable IdempotencyKey key) {
        if (key != null
                && (key.key().isEmpty()
                        || key.key().length() > MAX_IDEMPOTENCY_KEY
                        || !StorableText.isStorable(key.key()))) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            "An Idempotency-Key has 1 to %d characters"
                                    .formatted(MAX_IDEMPOTENCY_KEY))
                    .with(SpillwayException.PARAMETER, "Idempotency-Key");
        }
    }

    private static <T extends @Nullable Object> T run(Supplier<T> call) {
        try {
            return call.get();
        } catch (DataAccessException | TransactionException e) {
            throw new SpillwayException(ErrorCode.STORE_FAILED, "The job store does not answer", e);
        }
    }
}
