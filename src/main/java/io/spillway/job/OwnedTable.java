package io.spillway.job;

import static io.spillway.job.StoreFailures.run;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.JobStore.IdempotencyKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A table of what callers have made: found by its id or by the key of the request that made it, and
 * listed from the newest on. It has the columns {@code id}, {@code owner}, {@code created_at},
 * {@code idempotency_key} and {@code idempotency_digest}. Calls wait for the database; one that
 * cannot be reached gives {@code STORE_FAILED}. Thread-safe.
 */
public final class OwnedTable<T> {

    private final JdbcClient jdbc;
    private final String table;
    private final String what;
    private final RowMapper<T> rows;

    /**
     * Asks nothing yet.
     *
     * @param jdbc of a database whose schema is migrated
     * @param table its name
     * @param what it has, for messages, such as {@code job}
     */
    public OwnedTable(JdbcClient jdbc, String table, String what, RowMapper<T> rows) {
        this.jdbc = jdbc;
        this.table = table;
        this.what = what;
        this.rows = rows;
    }

    /**
     * Adds something, unless the same request has done so before.
     *
     * @param insert adds it, not in a transaction with anything else
     * @return it, or what the first such request has added
     * @throws SpillwayException {@code IDEMPOTENCY_CONFLICT} if the key came with another body
     */
    public T add(T added, String owner, @Nullable IdempotencyKey key, Runnable insert) {
        return run(
                () -> {
                    try {
                        insert.run();
                        return added;
                    } catch (DuplicateKeyException e) {
                        // PostgreSQL reads nothing more in a transaction that has failed.
                        return existing(owner, key).orElseThrow(() -> e);
                    }
                });
    }

    /**
     * What a request has added.
     *
     * @throws SpillwayException {@code IDEMPOTENCY_CONFLICT} if it had another body
     */
    public Optional<T> find(String owner, IdempotencyKey key) {
        return run(() -> existing(owner, key));
    }

    private Optional<T> existing(String owner, @Nullable IdempotencyKey key) {
        if (key == null) {
            return Optional.empty();
        }
        return jdbc.sql(select() + " WHERE owner = :owner AND idempotency_key = :key")
                .param("owner", owner)
                .param("key", key.key())
                .query(
                        (row, number) -> {
                            key.checkBody(row.getString("idempotency_digest"));
                            return rows.mapRow(row, number);
                        })
                .optional();
    }

    /** What has an id, whoever owns it. */
    public Optional<T> find(String id) {
        if (!StorableText.isStorable(id)) {
            return Optional.empty();
        }
        return run(
                () ->
                        jdbc.sql(select() + " WHERE id = :id")
                                .param("id", id)
                                .query(rows)
                                .optional());
    }

    /**
     * What an owner has, the newest first.
     *
     * @param before the id behind which the list begins; null for its start
     * @throws SpillwayException {@code INVALID_PARAMETER} if the owner has nothing of that id
     */
    public List<T> list(String owner, @Nullable String before, int limit) {
        return run(() -> before == null ? first(owner, limit) : next(owner, before, limit));
    }

    private List<T> first(String owner, int limit) {
        return jdbc.sql(
                        select()
                                + """
                                 WHERE owner = :owner
                                ORDER BY created_at DESC, id DESC LIMIT :limit
                                """)
                .param("owner", owner)
                .param("limit", limit)
                .query(rows)
                .list();
    }

    private List<T> next(String owner, String before, int limit) {
        if (!has(owner, before)) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            "There is no such %s to go on from".formatted(what))
                    .with(SpillwayException.PARAMETER, "before");
        }
        return jdbc.sql(
                        """
                        SELECT t.* FROM %s t
                        JOIN %s last ON last.id = :before
                        WHERE t.owner = :owner
                          AND (t.created_at < last.created_at
                               OR (t.created_at = last.created_at AND t.id < last.id))
                        ORDER BY t.created_at DESC, t.id DESC LIMIT :limit
                        """
                                .formatted(table, table))
                .param("before", before)
                .param("owner", owner)
                .param("limit", limit)
                .query(rows)
                .list();
    }

    private boolean has(String owner, String id) {
        return StorableText.isStorable(id)
                && jdbc.sql("SELECT COUNT(*) FROM " + table + " WHERE id = :id AND owner = :owner")
                                .param("id", id)
                                .param("owner", owner)
                                .query(Integer.class)
                                .single()
                        > 0;
    }

    private String select() {
        return "SELECT * FROM " + table;
    }
}
