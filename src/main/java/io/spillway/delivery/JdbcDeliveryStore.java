package io.spillway.delivery;

import static io.spillway.delivery.DeliveryRows.timestamp;
import static io.spillway.job.StoreFailures.run;

import io.spillway.job.JobStore.IdempotencyKey;
import io.spillway.job.OwnedTable;
import io.spillway.job.StorableText;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deliveries in the database of the job store. Who changes a delivery and its batches changes the
 * delivery first, so that nobody waits in a circle.
 */
public final class JdbcDeliveryStore implements DeliveryStore {

    /** Whose lease counts: nobody has taken a new epoch. */
    private static final String HELD = " WHERE id = :id AND epoch = :epoch";

    /** Whose lease counts, and knows of all changes that others have made. */
    private static final String RESTS = HELD + " AND state = 'RUNNING' AND NOT attention";

    /** What nobody sends who is alive. */
    private static final String FREE =
            """
             state = 'RUNNING' AND (holder IS NULL OR NOT EXISTS
               (SELECT 1 FROM delivery_holder h
                WHERE h.id = delivery.holder AND h.leased_until >= CURRENT_TIMESTAMP))
            """;

    /** The database's clock and a duration. */
    private static final String END =
            "CURRENT_TIMESTAMP + CAST(:millis AS INTEGER) * INTERVAL '0.001' SECOND";

    private static final String BATCHES = "SELECT * FROM delivery_batch WHERE delivery_id = :id";

    /** Of these one is taken; others may be faster. */
    private static final int CANDIDATES = 16;

    private final JdbcClient jdbc;
    private final OwnedTable<Delivery> table;
    private final JdbcChanges changes;
    private final CaptureStore captures;
    private final TransactionTemplate transaction;

    /**
     * Asks nothing yet.
     *
     * @param jdbc of a database whose schema is migrated
     * @param transactions of the same database
     */
    public JdbcDeliveryStore(
            NamedParameterJdbcOperations jdbc, PlatformTransactionManager transactions) {
        this.jdbc = JdbcClient.create(jdbc);
        this.table = new OwnedTable<>(this.jdbc, "delivery", "delivery", DeliveryRows::delivery);
        this.changes = new JdbcChanges(jdbc);
        this.captures = new CaptureStore(this.jdbc);
        this.transaction = new TransactionTemplate(transactions);
    }

    @Override
    public Delivery add(Delivery delivery, @Nullable IdempotencyKey key) {
        return table.add(delivery, delivery.owner(), key, () -> insert(delivery, key));
    }

    @Override
    public Delivery add(Delivery delivery, @Nullable IdempotencyKey key, String dataset) {
        return table.add(
                delivery,
                delivery.owner(),
                key,
                () ->
                        transaction.executeWithoutResult(
                                status -> {
                                    insert(delivery, key);
                                    captures.reserve(delivery, dataset);
                                }));
    }

    private void insert(Delivery delivery, @Nullable IdempotencyKey key) {
        jdbc.sql(
                        """
                        INSERT INTO delivery (id, owner, job_id, created_at, request, state, epoch,
                          attention, committed_row, dropped_rows, delivered_batches, delivered_rows,
                          dead_batches, dead_rows, waiting_batches, attempts, failed_attempts,
                          rows_per_second, idempotency_key, idempotency_digest)
                        VALUES (:id, :owner, :job, :created, :request, :state, 0,
                          FALSE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, :key, :digest)
                        """)
                .param("id", delivery.id())
                .param("owner", delivery.owner())
                .param("job", delivery.job())
                .param("created", timestamp(delivery.createdAt()))
                .param("request", StorableText.json(delivery.request()))
                .param("state", delivery.state().name())
                .param("key", key == null ? null : key.key())
                .param("digest", key == null ? null : key.bodyDigest())
                .update();
    }

    @Override
    public Optional<Delivery> find(String owner, IdempotencyKey key) {
        return table.find(owner, key);
    }

    @Override
    public Optional<Delivery> find(String id) {
        return table.find(id);
    }

    @Override
    public List<Delivery> find(Collection<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        return run(
                () ->
                        jdbc.sql("SELECT * FROM delivery WHERE id IN (:ids)")
                                .param("ids", ids)
                                .query(DeliveryRows::delivery)
                                .list());
    }

    @Override
    public List<Delivery> list(String owner, @Nullable String before, int limit) {
        return table.list(owner, before, limit);
    }

    @Override
    public int open() {
        return run(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT COUNT(*) FROM delivery
                                        WHERE state IN ('RUNNING', 'PAUSED', 'DISABLED')
                                        """)
                                .query(Integer.class)
                                .single());
    }

    @Override
    public void hold(String holder, Duration life) {
        run(
                () -> {
                    int renewed =
                            of(
                                            "UPDATE delivery_holder SET leased_until = "
                                                    + END
                                                    + " WHERE id = :id",
                                            holder)
                                    .param("millis", life.toMillis())
                                    .update();
                    return renewed == 1 ? renewed : begin(holder, life);
                });
    }

    private int begin(String holder, Duration life) {
        jdbc.sql(
                        """
                        DELETE FROM delivery_holder
                        WHERE leased_until < CURRENT_TIMESTAMP - INTERVAL '1' HOUR
                        """)
                .update();
        return of(
                        "INSERT INTO delivery_holder (id, leased_until) VALUES (:id, " + END + ")",
                        holder)
                .param("millis", life.toMillis())
                .update();
    }

    @Override
    public Optional<Claim> claim(String holder) {
        return run(
                () -> {
                    List<String> free =
                            jdbc.sql(
                                            "SELECT id FROM delivery WHERE"
                                                    + FREE
                                                    + " ORDER BY created_at, id LIMIT :limit")
                                    .param("limit", CANDIDATES)
                                    .query((row, number) -> row.getString("id"))
                                    .list();
                    return free.stream()
                            .filter(id -> take(id, holder))
                            .findFirst()
                            .map(this::taken);
                });
    }

    private boolean take(String id, String holder) {
        return of(
                                """
                                UPDATE delivery SET holder = :holder, epoch = epoch + 1, attention = FALSE
                                WHERE id = :id AND
                                """
                                        + FREE,
                                id)
                        .param("holder", holder)
                        .update()
                == 1;
    }

    /** What was taken just now. Whoever changes it from now on has it attended to. */
    private Claim taken(String id) {
        return of("SELECT * FROM delivery WHERE id = :id", id)
                .query(
                        (row, number) -> {
                            Delivery delivery = DeliveryRows.delivery(row, number);
                            return new Claim(
                                    delivery,
                                    DeliveryRows.lease(row, number),
                                    open(id, delivery.progress().committedRow()));
                        })
                .single();
    }

    private List<StoredBatch> open(String id, long committedRow) {
        return of(BATCHES + " AND (first_row >= :row OR state = 'WAITING') ORDER BY first_row", id)
                .param("row", committedRow)
                .query(DeliveryRows::batch)
                .list();
    }

    @Override
    public List<String> changed(String holder) {
        return run(
                () ->
                        jdbc.sql("SELECT id FROM delivery WHERE holder = :holder AND attention")
                                .param("holder", holder)
                                .query((row, number) -> row.getString("id"))
                                .list());
    }

    @Override
    public Optional<Attended> attend(DeliveryLease lease, int limit) {
        return run(
                () -> {
                    if (of("UPDATE delivery SET attention = FALSE" + HELD, lease).update() == 0) {
                        return Optional.<Attended>empty();
                    }
                    return table.find(lease.delivery())
                            .map(
                                    found ->
                                            new Attended(
                                                    found.state(),
                                                    waiting(lease.delivery(), limit)));
                });
    }

    private List<StoredBatch> waiting(String id, int limit) {
        return of(BATCHES + " AND state = 'WAITING' ORDER BY first_row LIMIT :limit", id)
                .param("limit", limit)
                .query(DeliveryRows::batch)
                .list();
    }

    @Override
    public Set<DeliveryLease> record(List<Changes.Made> all) {
        return run(() -> transaction.execute(status -> changes.record(all)));
    }

    @Override
    public boolean complete(DeliveryLease lease) {
        return run(() -> isOver(lease, completed(lease)));
    }

    @Override
    public boolean complete(DeliveryLease lease, String dataset, CapturedFile file) {
        return run(
                () ->
                        isOver(
                                lease,
                                transaction.execute(
                                        status -> {
                                            int updated = completed(lease);
                                            if (updated == 1) {
                                                find(lease.delivery())
                                                        .ifPresent(
                                                                delivery ->
                                                                        captures.publish(
                                                                                delivery, dataset,
                                                                                file));
                                            }
                                            return updated;
                                        })));
    }

    private int completed(DeliveryLease lease) {
        return of(
                        """
                        UPDATE delivery SET state = CASE WHEN dead_batches > 0
                            THEN 'COMPLETED_WITH_FAILURES' ELSE 'COMPLETED' END,
                          holder = NULL, waiting_batches = 0, next_attempt_at = NULL,
                          rows_per_second = 0, ended_at = CURRENT_TIMESTAMP
                        """
                                + RESTS,
                        lease)
                .update();
    }

    @Override
    public boolean end(DeliveryLease lease, DeliveryState state, @Nullable DeliveryReason reason) {
        String endedAt = state.isEnd() ? "CURRENT_TIMESTAMP" : "NULL";
        return run(
                () ->
                        isOver(
                                lease,
                                of(
                                                """
                                                UPDATE delivery SET state = :state, holder = NULL, reason = :reason,
                                                  reason_message = :message, reason_context = :context,
                                                  rows_per_second = 0, ended_at = %s
                                                """
                                                                .formatted(endedAt)
                                                        + RESTS,
                                                lease)
                                        .param("state", state.name())
                                        .param("reason", reason == null ? null : reason.code())
                                        .param(
                                                "message",
                                                reason == null
                                                        ? null
                                                        : StorableText.forPeople(reason.message()))
                                        .param(
                                                "context",
                                                reason == null
                                                        ? null
                                                        : DeliveryRows.context(reason))
                                        .update()));
    }

    /** Whether there is nothing more to do for who has a lease. */
    private boolean isOver(DeliveryLease lease, int updated) {
        return updated == 1
                || of("SELECT COUNT(*) FROM delivery" + HELD, lease).query(Integer.class).single()
                        == 0;
    }

    @Override
    public void release(DeliveryLease lease) {
        run(
                () ->
                        of("UPDATE delivery SET holder = NULL, rows_per_second = 0" + HELD, lease)
                                .update());
    }

    @Override
    public void pause(String id) {
        change("state = 'PAUSED'", id, "state = 'RUNNING'");
    }

    @Override
    public void resume(String id) {
        change(
                """
                state = 'RUNNING', reason = NULL, reason_message = NULL, reason_context = NULL,
                failing_since = NULL
                """,
                id,
                "state IN ('PAUSED', 'DISABLED')");
    }

    @Override
    public void cancel(String id) {
        change(
                "state = 'CANCELED', ended_at = CURRENT_TIMESTAMP",
                id,
                "state IN ('RUNNING', 'PAUSED', 'DISABLED')");
    }

    private void change(String what, String id, String condition) {
        run(
                () ->
                        of(
                                        "UPDATE delivery SET attention = TRUE, "
                                                + what
                                                + " WHERE id = :id AND "
                                                + condition,
                                        id)
                                .update());
    }

    @Override
    public long replay(String id, @Nullable List<Long> batches) {
        return run(() -> transaction.execute(status -> replayed(id, batches)));
    }

    private long replayed(String id, @Nullable List<Long> batches) {
        // Holds the delivery until the transaction ends.
        int there =
                of(
                                """
                                UPDATE delivery SET attention = TRUE, ended_at = NULL,
                                  state = CASE state WHEN 'COMPLETED_WITH_FAILURES' THEN 'RUNNING' ELSE state END
                                WHERE id = :id AND state IN
                                  ('RUNNING', 'PAUSED', 'DISABLED', 'COMPLETED_WITH_FAILURES')
                                """,
                                id)
                        .update();
        if (there == 0) {
            return 0;
        }
        String chosen =
                " WHERE delivery_id = :id AND state = 'DEAD'"
                        + (batches == null ? "" : " AND first_row IN (:rows)");
        long rows =
                chosen(
                                "SELECT COALESCE(SUM(row_count), 0) FROM delivery_batch" + chosen,
                                id,
                                batches)
                        .query(Long.class)
                        .single();
        int count =
                chosen(
                                """
                                UPDATE delivery_batch SET state = 'WAITING', failures = 0, throttled = 0,
                                  next_attempt_at = CURRENT_TIMESTAMP, changed_at = CURRENT_TIMESTAMP
                                """
                                        + chosen,
                                id,
                                batches)
                        .update();
        of(
                        """
                        UPDATE delivery SET dead_batches = dead_batches - :count,
                          dead_rows = dead_rows - :rows, failing_since = NULL
                        WHERE id = :id
                        """,
                        id)
                .param("count", count)
                .param("rows", rows)
                .update();
        return count;
    }

    private StatementSpec chosen(String sql, String id, @Nullable List<Long> batches) {
        return batches == null ? of(sql, id) : of(sql, id).param("rows", batches);
    }

    @Override
    public List<StoredBatch> failures(String id, long afterRow, int limit) {
        return run(
                () ->
                        of(
                                        BATCHES
                                                + " AND state = 'DEAD' AND first_row > :after ORDER"
                                                + " BY first_row LIMIT :limit",
                                        id)
                                .param("after", afterRow)
                                .param("limit", limit)
                                .query(DeliveryRows::batch)
                                .list());
    }

    @Override
    public List<DeliveryAttempt> attempts(String id, long beforeNumber, int limit) {
        return run(
                () ->
                        of(
                                        """
                                        SELECT * FROM delivery_attempt
                                        WHERE delivery_id = :id AND number < :before
                                        ORDER BY number DESC LIMIT :limit
                                        """,
                                        id)
                                .param("before", beforeNumber)
                                .param("limit", limit)
                                .query(DeliveryRows::attempt)
                                .list());
    }

    @Override
    public Optional<StoredBatch> batch(String id, long firstRow) {
        return run(
                () ->
                        of(BATCHES + " AND first_row = :row AND state <> 'DELIVERED'", id)
                                .param("row", firstRow)
                                .query(DeliveryRows::batch)
                                .optional());
    }

    @Override
    public Optional<DeliveryAttempt> lastAttempt(String id, long firstRow) {
        return run(
                () ->
                        of(
                                        """
                                        SELECT * FROM delivery_attempt
                                        WHERE delivery_id = :id AND first_row = :row
                                        ORDER BY number DESC LIMIT 1
                                        """,
                                        id)
                                .param("row", firstRow)
                                .query(DeliveryRows::attempt)
                                .optional());
    }

    private StatementSpec of(String sql, String id) {
        return jdbc.sql(sql).param("id", id);
    }

    private StatementSpec of(String sql, DeliveryLease lease) {
        return of(sql, lease.delivery()).param("epoch", lease.epoch());
    }
}
