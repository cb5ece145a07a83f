package io.spillway.group;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Jobs that stand in the store only, for groups to be of. */
final class GroupJobs {

    private GroupJobs() {}

    static void add(JdbcClient jdbc, String id) {
        jdbc.sql(
                        """
                        INSERT INTO job (id, owner, created_at, ttl_millis, expires_at, state, request,
                          logical_plan, optimized_plan, physical_plan, digest, batch_rows, memory_limit)
                        VALUES (:id, 'ann', CURRENT_TIMESTAMP, 1, CURRENT_TIMESTAMP, 'READY', '', '',
                          '', '', '', 1, 1)
                        """)
                .param("id", id)
                .update();
    }
}
