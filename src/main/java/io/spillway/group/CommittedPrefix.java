package io.spillway.group;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Moves the row before which all of a group is committed. Whoever has committed sees to it, but
 * waits for nobody: who finds another one at it leaves, and that one looks again when it is done.
 */
final class CommittedPrefix {

    private static final int AT_ONCE = 1_000;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    CommittedPrefix(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    private record Committed(long firstRow, long rows) {}

    private record At(long generation, long row) {}

    /** Moves it as far as may be. */
    void moveOn(String group) {
        boolean moved = true;
        while (moved && isBehind(group)) {
            moved = Boolean.TRUE.equals(transaction.execute(status -> move(group)));
        }
    }

    private boolean isBehind(String group) {
        return jdbc.sql(
                                """
                                SELECT COUNT(*) FROM job_group g JOIN job_lease l ON l.group_id = g.id
                                  AND l.generation = g.generation AND l.first_row = g.committed_row
                                WHERE g.id = :group AND l.committed
                                """)
                        .param("group", group)
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** False if another one is at it. */
    private boolean move(String group) {
        List<At> seen =
                jdbc.sql(
                                """
                                SELECT generation, committed_row FROM job_group WHERE id = :group
                                FOR UPDATE SKIP LOCKED
                                """)
                        .param("group", group)
                        .query(
                                (row, number) ->
                                        new At(
                                                row.getLong("generation"),
                                                row.getLong("committed_row")))
                        .list();
        if (seen.isEmpty()) {
            return false;
        }
        At at = seen.getFirst();
        long to = at.row();
        int batches = 0;
        for (Committed next : committed(group, at)) {
            if (next.firstRow() != to) {
                break;
            }
            to += next.rows();
            batches++;
        }
        jdbc.sql(
                        """
                        UPDATE job_group SET committed_row = :to,
                          committed_batches = committed_batches + :batches
                        WHERE id = :group
                        """)
                .param("group", group)
                .param("to", to)
                .param("batches", batches)
                .update();
        jdbc.sql(
                        """
                        DELETE FROM job_lease WHERE group_id = :group AND generation = :generation
                          AND first_row >= :from AND first_row < :to AND epoch = 1
                        """)
                .param("group", group)
                .param("generation", at.generation())
                .param("from", at.row())
                .param("to", to)
                .update();
        return true;
    }

    private List<Committed> committed(String group, At at) {
        return jdbc.sql(
                        """
                        SELECT first_row, row_count FROM job_lease
                        WHERE group_id = :group AND generation = :generation AND first_row >= :row
                          AND committed
                        ORDER BY first_row LIMIT :limit
                        """)
                .param("group", group)
                .param("generation", at.generation())
                .param("row", at.row())
                .param("limit", AT_ONCE)
                .query((row, number) -> new Committed(row.getLong("first_row"), row.getLong("row_count")))
                .list();
    }
}
