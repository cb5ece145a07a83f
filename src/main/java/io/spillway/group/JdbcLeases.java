package io.spillway.group;

import io.spillway.cursor.LeaseRef;
import io.spillway.encode.ShortReason;
import io.spillway.group.GroupStore.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** The table {@code job_lease}. What a holder does is one UPDATE, whose condition decides. */
final class JdbcLeases {

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

    JdbcLeases(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** As {@link GroupStore#takeFree}, in a transaction. */
    List<Lease> takeFree(Group group, Claim claim) {
        return of(
                        "SELECT first_row FROM job_lease"
                                + FREE
                                + " ORDER BY first_row LIMIT :limit FOR UPDATE SKIP LOCKED",
                        group)
                .param("limit", claim.batches())
                .query((row, number) -> row.getLong("first_row"))
                .list()
                .stream()
                .filter(row -> take(group, row, claim))
                .map(row -> leased(group, row))
                .toList();
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

    /** As {@link GroupStore#takeNew}, in a transaction. */
    List<Lease> takeNew(Group group, Claim claim, Cutter cutter, long maxAhead) {
        return lock(group).map(now -> cut(now, claim, cutter, maxAhead)).orElse(List.of());
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
    private void insert(Group group, Cut cut, int holders, String reader, @Nullable Duration life) {
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

    /** As {@link GroupStore#renew}, in a transaction. */
    Optional<Lease> renew(LeaseRef lease, Duration life) {
        int renewed =
                of("UPDATE job_lease SET leased_until = " + END + HELD, lease)
                        .param("millis", life.toMillis())
                        .update();
        return renewed == 1 ? held(lease) : Optional.empty();
    }

    /** As {@link GroupStore#release}. */
    boolean release(LeaseRef lease) {
        return of("UPDATE job_lease SET leased_until = NULL, attempts = attempts - 1" + HELD, lease)
                        .update()
                == 1;
    }

    /** Commits; false if the lease does not count any more, or has been committed before. */
    boolean commit(LeaseRef lease) {
        return of("UPDATE job_lease SET committed = TRUE, leased_until = NULL" + HELD, lease)
                        .update()
                == 1;
    }

    /**
     * Has this very holder committed? A batch that is not kept any more had one holder only, who
     * has.
     */
    boolean isCommitted(LeaseRef lease) {
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

    /** The batch of a lease, if anybody has it. */
    Optional<Lease> held(LeaseRef lease) {
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

    private StatementSpec of(String sql, Group group) {
        return jdbc.sql(sql).param("group", group.id()).param("generation", group.generation());
    }

    private StatementSpec of(String sql, LeaseRef lease) {
        return jdbc.sql(sql)
                .param("group", lease.group())
                .param("generation", lease.generation())
                .param("row", lease.firstRow())
                .param("epoch", lease.epoch());
    }
}
