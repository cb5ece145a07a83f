package io.spillway.group;

import static io.spillway.job.StoreFailures.run;

import io.spillway.cursor.LeaseRef;
import io.spillway.job.StorableText;
import io.spillway.plan.document.BatchShape;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Groups in the database of the job store. Who changes where a group is holds its row, and may then
 * change leases; who has changed leases asks for no group, so that nobody waits in a circle.
 */
public final class JdbcGroupStore implements GroupStore {

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final JdbcLeases leases;
    private final CommittedPrefix prefix;
    private final GroupTurns turns = new GroupTurns();

    /**
     * Asks nothing yet.
     *
     * @param jdbc of a database whose schema is migrated
     * @param transactions of the same database
     */
    public JdbcGroupStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactions);
        this.leases = new JdbcLeases(jdbc);
        this.prefix = new CommittedPrefix(jdbc, transaction);
    }

    @Override
    public Group add(Group group) {
        return run(
                () -> {
                    try {
                        insert(group);
                        return group;
                    } catch (DuplicateKeyException e) {
                        return named(group.job(), group.name()).orElseThrow(() -> e);
                    }
                });
    }

    private void insert(Group group) {
        BatchShape batch = group.batch();
        BatchShape.Weight weight = batch.weight();
        jdbc.sql(
                        """
                        INSERT INTO job_group (id, job_id, name, created_at, batch_rows, max_bytes,
                          weight_column, weight_max, drop_last, lease_millis, generation, next_row,
                          next_batch, committed_row, committed_batches)
                        VALUES (:id, :job, :name, :created, :rows, :bytes,
                          :column, :max, :dropLast, :life, 1, 0, 0, 0, 0)
                        """)
                .param("id", group.id())
                .param("job", group.job())
                .param("name", group.name())
                .param(
                        "created",
                        group.createdAt().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC))
                .param("rows", batch.rows())
                .param("bytes", batch.maxBytes())
                .param("column", weight == null ? null : weight.column())
                .param("max", weight == null ? null : weight.max())
                .param("dropLast", batch.dropLast())
                .param("life", group.leaseTime().toMillis())
                .update();
    }

    private Optional<Group> named(String job, String name) {
        return jdbc.sql("SELECT * FROM job_group WHERE job_id = :job AND name = :name")
                .param("job", job)
                .param("name", name)
                .query(GroupRows::group)
                .optional();
    }

    @Override
    public Optional<Group> find(String job, String name) {
        return StorableText.isStorable(name) ? run(() -> named(job, name)) : Optional.empty();
    }

    @Override
    public Optional<Group> find(String id) {
        return run(
                () ->
                        jdbc.sql("SELECT * FROM job_group WHERE id = :id")
                                .param("id", id)
                                .query(GroupRows::group)
                                .optional());
    }

    @Override
    public List<Group> list(String job) {
        return run(
                () ->
                        jdbc.sql("SELECT * FROM job_group WHERE job_id = :job ORDER BY name")
                                .param("job", job)
                                .query(GroupRows::group)
                                .list());
    }

    @Override
    public int count(String job) {
        return run(
                () ->
                        jdbc.sql("SELECT COUNT(*) FROM job_group WHERE job_id = :job")
                                .param("job", job)
                                .query(Integer.class)
                                .single());
    }

    @Override
    public void remove(String id) {
        run(() -> jdbc.sql("DELETE FROM job_group WHERE id = :id").param("id", id).update());
    }

    @Override
    public Optional<Group> reset(String id, long row) {
        run(
                () ->
                        transaction.execute(
                                status -> {
                                    jdbc.sql(
                                                    """
                                                    UPDATE job_group SET generation = generation + 1,
                                                      next_row = :row, next_batch = 0,
                                                      committed_row = :row, committed_batches = 0,
                                                      end_row = NULL
                                                    WHERE id = :id
                                                    """)
                                            .param("id", id)
                                            .param("row", row)
                                            .update();
                                    return jdbc.sql("DELETE FROM job_lease WHERE group_id = :id")
                                            .param("id", id)
                                            .update();
                                }));
        return find(id);
    }

    @Override
    public List<Lease> takeFree(Group group, Claim claim) {
        return run(() -> transaction.execute(status -> leases.takeFree(group, claim)));
    }

    @Override
    public List<Lease> takeNew(Group group, Claim claim, Cutter cutter, long maxAhead) {
        return turns.take(
                group.id(),
                () ->
                        run(
                                () ->
                                        transaction.execute(
                                                status ->
                                                        leases.takeNew(
                                                                group, claim, cutter, maxAhead))));
    }

    @Override
    public Optional<Lease> renew(LeaseRef lease, Duration life) {
        return run(() -> transaction.execute(status -> leases.renew(lease, life)));
    }

    @Override
    public boolean release(LeaseRef lease) {
        return run(() -> leases.release(lease));
    }

    @Override
    public boolean commit(LeaseRef lease) {
        return run(
                () -> {
                    boolean commits = leases.commit(lease);
                    if (commits) {
                        prefix.moveOn(lease.group());
                    }
                    return commits || leases.isCommitted(lease);
                });
    }

    @Override
    public Optional<Lease> holder(LeaseRef lease) {
        return run(() -> leases.held(lease));
    }

    @Override
    public @Nullable GroupProgress progress(String id) {
        return run(
                () -> {
                    prefix.moveOn(id);
                    return jdbc.sql(
                                    """
                                    SELECT g.*, COALESCE(p.rows_ahead, 0) AS rows_ahead,
                                      COALESCE(p.batches_ahead, 0) AS batches_ahead,
                                      COALESCE(p.leased, 0) AS leased, COALESCE(p.free, 0) AS free,
                                      p.first_end, CURRENT_TIMESTAMP AS now
                                    FROM job_group g LEFT JOIN (
                                      SELECT l.group_id,
                                        SUM(CASE WHEN l.committed AND l.first_row >= h.committed_row
                                          THEN l.row_count END) AS rows_ahead,
                                        COUNT(CASE WHEN l.committed AND l.first_row >= h.committed_row
                                          THEN 1 END) AS batches_ahead,
                                        COUNT(CASE WHEN NOT l.committed
                                          AND l.leased_until >= CURRENT_TIMESTAMP THEN 1 END) AS leased,
                                        COUNT(CASE WHEN NOT l.committed AND (l.leased_until IS NULL
                                          OR l.leased_until < CURRENT_TIMESTAMP) THEN 1 END) AS free,
                                        MIN(CASE WHEN NOT l.committed
                                          AND l.leased_until >= CURRENT_TIMESTAMP
                                          THEN l.leased_until END) AS first_end
                                      FROM job_lease l JOIN job_group h
                                        ON h.id = l.group_id AND h.generation = l.generation
                                      WHERE h.id = :id GROUP BY l.group_id
                                    ) p ON p.group_id = g.id
                                    WHERE g.id = :id
                                    """)
                            .param("id", id)
                            .query(GroupRows::progress)
                            .optional()
                            .orElse(null);
                });
    }
}
