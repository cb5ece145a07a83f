package io.spillway.job;

import static io.spillway.job.StoreFailures.run;

import io.spillway.spool.SpoolId;
import io.spillway.spool.SpoolLease;
import io.spillway.spool.SpoolStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Spools in the database of the job store. Every race is decided by the condition of an UPDATE, or
 * by the primary key.
 */
public final class JdbcSpoolStore implements SpoolStore {

    /** Whose lease it is: nobody takes a new epoch while the old one is good. */
    private static final String HELD =
            " WHERE job_id = :job AND number = :number AND epoch = :epoch AND leased_until IS NOT"
                    + " NULL";

    /** The database's clock and a duration. */
    private static final String END =
            "CURRENT_TIMESTAMP + CAST(:seconds AS INTEGER) * INTERVAL '1' SECOND";

    private final JdbcClient jdbc;

    /**
     * Asks nothing yet.
     *
     * @param jdbc of a database whose schema is migrated
     */
    public JdbcSpoolStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Optional<Complete> find(SpoolId id) {
        return run(
                () ->
                        of(
                                        """
                                        SELECT epoch, manifest FROM job_spool
                                        WHERE job_id = :job AND number = :number AND manifest IS NOT NULL
                                        """,
                                        id)
                                .query(
                                        (row, number) ->
                                                new Complete(
                                                        row.getLong("epoch"),
                                                        row.getString("manifest")))
                                .optional());
    }

    @Override
    public Optional<SpoolLease> claim(SpoolId id, Duration life) {
        return run(
                () ->
                        isFirst(id, life) || isNext(id, life)
                                ? Optional.of(held(id))
                                : Optional.empty());
    }

    private boolean isFirst(SpoolId id, Duration life) {
        try {
            return of(
                                    """
                                    INSERT INTO job_spool (job_id, number, epoch, leased_until, bytes)
                                    VALUES (:job, :number, 1, %s, 0)
                                    """
                                            .formatted(END),
                                    id)
                            .param("seconds", life.toSeconds())
                            .update()
                    == 1;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    private boolean isNext(SpoolId id, Duration life) {
        return of(
                                """
                                UPDATE job_spool SET epoch = epoch + 1, leased_until = %s, bytes = 0
                                WHERE job_id = :job AND number = :number AND manifest IS NULL
                                  AND (leased_until IS NULL OR leased_until < CURRENT_TIMESTAMP)
                                """
                                        .formatted(END),
                                id)
                        .param("seconds", life.toSeconds())
                        .update()
                == 1;
    }

    /** What was claimed just now, and is nobody else's for a while. */
    private SpoolLease held(SpoolId id) {
        return new SpoolLease(
                id,
                of("SELECT epoch FROM job_spool WHERE job_id = :job AND number = :number", id)
                        .query(Long.class)
                        .single());
    }

    @Override
    public boolean renew(SpoolLease lease, Duration life, long bytes) {
        return run(
                () ->
                        of(
                                                "UPDATE job_spool SET leased_until = "
                                                        + END
                                                        + ", bytes = :bytes"
                                                        + HELD,
                                                lease)
                                        .param("seconds", life.toSeconds())
                                        .param("bytes", bytes)
                                        .update()
                                == 1);
    }

    @Override
    public boolean commit(SpoolLease lease, String manifest, long bytes) {
        return run(
                () ->
                        of(
                                                "UPDATE job_spool SET leased_until = NULL,"
                                                        + " manifest = :manifest, bytes = :bytes"
                                                        + HELD,
                                                lease)
                                        .param("manifest", manifest)
                                        .param("bytes", bytes)
                                        .update()
                                == 1);
    }

    @Override
    public void release(SpoolLease lease) {
        run(() -> of("UPDATE job_spool SET leased_until = NULL, bytes = 0" + HELD, lease).update());
    }

    @Override
    public void discard(SpoolId id, long epoch) {
        run(
                () ->
                        of(
                                        """
                                        UPDATE job_spool SET manifest = NULL, bytes = 0
                                        WHERE job_id = :job AND number = :number AND epoch = :epoch
                                        """,
                                        new SpoolLease(id, epoch))
                                .update());
    }

    @Override
    public long bytes() {
        return run(
                () ->
                        jdbc.sql("SELECT COALESCE(SUM(bytes), 0) FROM job_spool")
                                .query(Long.class)
                                .single());
    }

    @Override
    public List<String> ended(Instant now) {
        return run(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT s.job_id FROM job_spool s LEFT JOIN job j ON j.id = s.job_id
                                        WHERE j.id IS NULL OR j.state = 'CANCELED' OR j.expires_at <= :now
                                        GROUP BY s.job_id
                                        HAVING COUNT(CASE WHEN s.leased_until > CURRENT_TIMESTAMP THEN 1 END) = 0
                                        """)
                                .param("now", JobRows.timestamp(now))
                                .query((row, number) -> row.getString("job_id"))
                                .list());
    }

    @Override
    public void remove(String job) {
        run(() -> jdbc.sql("DELETE FROM job_spool WHERE job_id = :job").param("job", job).update());
    }

    private JdbcClient.StatementSpec of(String sql, SpoolId id) {
        return jdbc.sql(sql).param("job", id.job()).param("number", id.number());
    }

    private JdbcClient.StatementSpec of(String sql, SpoolLease lease) {
        return of(sql, lease.id()).param("epoch", lease.epoch());
    }
}
