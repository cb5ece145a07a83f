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
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Groups in the database of the job store. Who changes where a group is holds its row, and may then
 * change leases; who has changed leases asks for no group, so that nobody waits in a circle. What a
 * holder does is one UPDATE, whose condition decides.
 */
public final class JdbcGroupStore implements GroupStore {

    /** The batch of a lease, whoever has it. */
    private static final String BATCH =
            " WHERE group_id = :group AND generation = :generation AND first_row = :row";

    /** Whose lease counts, be it overdue: nobody else has claimed the batch since. */
    private static final String HELD =
            BATCH + " AND epoch = :epoch AND leased_until IS NOT NULL AND NOT committed";

    /** What anybody may claim. */
    private static final String FREE =
            " WHERE group_id = :group AND generation = :generation AND NOT committed"
                    + " AND (leased_until IS NULL OR leased_until < CURRENT_TIMESTAMP)";

    /** The database's clock and a duration. */
    private static final String END =
            "CURRENT_TIMESTAMP + CAST(:millis AS INTEGER) * INTERVAL '0.001' SECOND";

    private static final String LEASES =
            "SELECT l.*, g.job_id FROM job_lease l JOIN job_group g ON g.id = l.group_id";

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
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
        return StorableText.isStorable(name)
                ? run(() -> named(job, name))
                : Optional.empty();
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
        return run(
                () ->
                        transaction.execute(
                                status -> {
                                    List<Long> rows =
                                            of(
                                                            "SELECT first_row FROM job_lease"
                                                                    + FREE
                                                                    + " ORDER BY first_row LIMIT"
                                                                    + " :limit FOR UPDATE SKIP"
                                                                    + " LOCKED",
                                                            group)
                                                    .param("limit", claim.batches())
                                                    .query(Long.class)
                                                    .list();
                                    return rows.stream()
                                            .filter(row -> take(group, row, claim))
                                            .map(row -> leased(group, row))
                                            .toList();
                                }));
    }

    /** Whoever read the batch as free without holding its row finds that it is not. */
    private boolean take(Group group, long row, Claim claim) {
        return of(
                                """
                                UPDATE job_lease SET epoch = epoch + 1, attempts = attempts + 1,
                                  reader = :reader, leased_until = %s
                                """
                                                .formatted(END)
                                        + FREE
                                        + " AND first_row = :row",
                                group)
                        .param("row", row)
                        .param("reader", claim.reader())
                        .param("millis", claim.life().toMillis())
                        .update()
                == 1;
    }

    private Lease leased(Group group, long row) {
        return of(
                        LEASES
                                + " WHERE l.group_id = :group AND l.generation = :generation AND"
                                + " l.first_row = :row",
                        group)
                .param("row", row)
                .query(GroupRows::lease)
                .single();
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
                                                        lock(group)
                                                                .map(
                                                                        now ->
                                                                                cut(
                                                                                        now, claim,
                                                                                        cutter,
                                                                                        maxAhead))
                                                                .orElse(List.of()))));
    }

    /** The group as it is, and stays until the transaction ends; empty if it was reset. */
    private Optional<Group> lock(Group group) {
        return jdbc.sql(
                        "SELECT * FROM job_group WHERE id = :id AND generation = :generation FOR"
                                + " UPDATE")
                .param("id", group.id())
                .param("generation", group.generation())
                .query(GroupRows::group)
                .optional();
    }

    private List<Lease> cut(Group group, Claim claim, Cutter cutter, long maxAhead) {
        long ahead = group.nextBatch() - group.committedBatches();
        long batches = Math.min(claim.batches(), maxAhead - ahead);
        if (batches <= 0) {
            return List.of();
        }
        Cutter.Cuts cuts = cutter.cut(group.nextRow(), batches);
        List<Cut> all = cuts.cuts();
        long next = all.isEmpty() ? group.nextRow() : all.getLast().end();
        jdbc.sql(
                        """
                        UPDATE job_group SET next_row = :next, next_batch = next_batch + :batches,
                          end_row = :end
                        WHERE id = :id
                        """)
                .param("id", group.id())
                .param("next", next)
                .param("batches", all.size())
                .param("end", cuts.end() == null ? group.endRow() : cuts.end())
                .update();
        int taken = (int) Math.min(batches, all.size());
        all.subList(0, taken).forEach(cut -> insert(group, cut, 1, claim.reader(), claim.life()));
        all.subList(taken, all.size()).forEach(cut -> insert(group, cut, 0, "", null));
        return of(
                        LEASES
                                + " WHERE l.group_id = :group AND l.generation = :generation AND"
                                + " l.first_row >= :from AND l.first_row < :to AND l.epoch = 1"
                                + " ORDER BY l.first_row",
                        group)
                .param("from", group.nextRow())
                .param("to", next)
                .query(GroupRows::lease)
                .list();
    }

    /**
     * Records a batch.
     *
     * @param holders how many had it, that one included who has it now
     * @param life how long that one has it; null if nobody has
     */
    private void insert(
            Group group, Cut cut, int holders, String reader, @Nullable Duration life) {
        ShortReason reason = cut.shortReason();
        StatementSpec insert =
                of(
                        """
                        INSERT INTO job_lease (group_id, generation, first_row, row_count,
                          short_reason, epoch, attempts, reader, leased_until, committed)
                        VALUES (:group, :generation, :row, :rows, :reason, :holders, :holders,
                          :reader, %s, FALSE)
                        """
                                .formatted(life == null ? "NULL" : END),
                        group);
        if (life != null) {
            insert = insert.param("millis", life.toMillis());
        }
        insert.param("row", cut.firstRow())
                .param("rows", cut.rows())
                .param("reason", reason == null ? null : reason.name())
                .param("holders", holders)
                .param("reader", reader)
                .update();
    }

    @Override
    public Optional<Lease> renew(LeaseRef lease, Duration life) {
        return run(
                () ->
                        transaction.execute(
                                status ->
                                        of("UPDATE job_lease SET leased_until = " + END + HELD, lease)
                                                                .param("millis", life.toMillis())
                                                                .update()
                                                        == 1
                                                ? held(lease)
                                                : Optional.empty()));
    }

    @Override
    public boolean release(LeaseRef lease) {
        return run(
                () ->
                        of(
                                                "UPDATE job_lease SET leased_until = NULL,"
                                                        + " attempts = attempts - 1"
                                                        + HELD,
                                                lease)
                                        .update()
                                == 1);
    }

    @Override
    public boolean commit(LeaseRef lease) {
        return run(
                () -> {
                    boolean commits =
                            of(
                                                    "UPDATE job_lease SET committed = TRUE,"
                                                            + " leased_until = NULL"
                                                            + HELD,
                                                    lease)
                                            .update()
                                    == 1;
                    if (commits) {
                        prefix.moveOn(lease.group());
                    }
                    return commits || isCommitted(lease);
                });
    }

    /**
     * Has this very holder committed? A batch that is not kept any more had one holder only, who
     * has.
     */
    private boolean isCommitted(LeaseRef lease) {
        Optional<Boolean> kept =
                of("SELECT committed AND epoch = :epoch FROM job_lease" + BATCH, lease)
                        .query(Boolean.class)
                        .optional();
        return kept.orElseGet(
                () ->
                        lease.epoch() == 1
                                && jdbc.sql(
                                                        """
                                                        SELECT COUNT(*) FROM job_group WHERE id = :group
                                                          AND generation = :generation
                                                          AND committed_row > :row
                                                        """)
                                                .param("group", lease.group())
                                                .param("generation", lease.generation())
                                                .param("row", lease.firstRow())
                                                .query(Integer.class)
                                                .single()
                                        == 1);
    }

    @Override
    public Optional<Lease> holder(LeaseRef lease) {
        return run(() -> held(lease));
    }

    private Optional<Lease> held(LeaseRef lease) {
        return jdbc.sql(
                        LEASES
                                + " WHERE l.group_id = :group AND l.generation = :generation AND"
                                + " l.first_row = :row AND l.leased_until IS NOT NULL")
                .param("group", lease.group())
                .param("generation", lease.generation())
                .param("row", lease.firstRow())
                .query(GroupRows::lease)
                .optional();
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

    private StatementSpec of(String sql, Group group) {
        return jdbc.sql(sql)
                .param("group", group.id())
                .param("generation", group.generation());
    }

    private StatementSpec of(String sql, LeaseRef lease) {
        return jdbc.sql(sql)
                .param("group", lease.group())
                .param("generation", lease.generation())
                .param("row", lease.firstRow())
                .param("epoch", lease.epoch());
    }
}
