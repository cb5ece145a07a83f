package io.spillway.export;

import static io.spillway.job.StoreFailures.run;

import io.spillway.job.JobStore.IdempotencyKey;
import io.spillway.job.OwnedTable;
import io.spillway.job.StorableText;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Exports in the database of the job store. Every race is decided by the condition of an UPDATE.
 */
public final class JdbcExportStore implements ExportStore {

    /** Whose lease it is: nobody takes a new epoch while the old one is good. */
    private static final String HELD = " WHERE id = :id AND epoch = :epoch AND state = 'RUNNING'";

    /** What nobody writes. */
    private static final String FREE =
            "(state = 'QUEUED' OR state = 'RUNNING' AND leased_until < CURRENT_TIMESTAMP)";

    /** The database's clock and a duration. */
    private static final String END =
            "CURRENT_TIMESTAMP + CAST(:millis AS INTEGER) * INTERVAL '0.001' SECOND";

    /** Of these one is taken; others may be faster. */
    private static final int CANDIDATES = 16;

    private final JdbcClient jdbc;
    private final OwnedTable<Export> table;

    /**
     * Asks nothing yet.
     *
     * @param jdbc of a database whose schema is migrated
     */
    public JdbcExportStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
        this.table = new OwnedTable<>(jdbc, "job_export", "export", ExportRows::export);
    }

    @Override
    public Export add(Export export, @Nullable IdempotencyKey key) {
        return table.add(export, export.owner(), key, () -> insert(export, key));
    }

    private void insert(Export export, @Nullable IdempotencyKey key) {
        jdbc.sql(
                        """
                        INSERT INTO job_export (id, owner, job_id, created_at, path, overwrite,
                          max_file_rows, max_file_bytes, state, canceled, epoch, attempts,
                          rows_written, bytes_written, idempotency_key, idempotency_digest)
                        VALUES (:id, :owner, :job, :created, :path, :overwrite,
                          :maxRows, :maxBytes, 'QUEUED', FALSE, 0, 0, 0, 0, :key, :digest)
                        """)
                .param("id", export.id())
                .param("owner", export.owner())
                .param("job", export.request().job())
                .param(
                        "created",
                        export.createdAt().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC))
                .param("path", export.request().path())
                .param("overwrite", export.request().overwrite())
                .param("maxRows", export.request().maxFileRows())
                .param("maxBytes", export.request().maxFileBytes())
                .param("key", key == null ? null : key.key())
                .param("digest", key == null ? null : key.bodyDigest())
                .update();
    }

    @Override
    public Optional<Export> find(String owner, IdempotencyKey key) {
        return table.find(owner, key);
    }

    @Override
    public Optional<Export> find(String id) {
        return table.find(id);
    }

    @Override
    public List<Export> list(String owner, @Nullable String before, int limit) {
        return table.list(owner, before, limit);
    }

    @Override
    public int open() {
        return run(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT COUNT(*) FROM job_export
                                        WHERE state IN ('QUEUED', 'RUNNING')
                                        """)
                                .query(Integer.class)
                                .single());
    }

    @Override
    public Optional<Claim> claim(Duration life) {
        return run(
                () -> {
                    List<String> free =
                            jdbc.sql(
                                            "SELECT id FROM job_export WHERE "
                                                    + FREE
                                                    + " ORDER BY created_at, id LIMIT :limit")
                                    .param("limit", CANDIDATES)
                                    .query((row, number) -> row.getString("id"))
                                    .list();
                    return free.stream().filter(id -> take(id, life)).findFirst().map(this::taken);
                });
    }

    private boolean take(String id, Duration life) {
        return jdbc.sql(
                                """
                                UPDATE job_export SET state = 'RUNNING', epoch = epoch + 1,
                                  attempts = attempts + 1, leased_until = %s
                                WHERE id = :id AND %s
                                """
                                        .formatted(END, FREE))
                        .param("id", id)
                        .param("millis", life.toMillis())
                        .update()
                == 1;
    }

    /** What was taken just now, and is nobody else's for a while. */
    private Claim taken(String id) {
        return jdbc.sql("SELECT * FROM job_export WHERE id = :id")
                .param("id", id)
                .query(ExportRows::claim)
                .single();
    }

    @Override
    public Held renew(ExportLease lease, Duration life, long rows, long bytes) {
        return run(
                () ->
                        held(
                                lease,
                                of(
                                                "UPDATE job_export SET leased_until = "
                                                        + END
                                                        + ", rows_written = :rows, bytes_written ="
                                                        + " :bytes"
                                                        + HELD,
                                                lease)
                                        .param("millis", life.toMillis())
                                        .param("rows", rows)
                                        .param("bytes", bytes)
                                        .update()));
    }

    @Override
    public Held whole(ExportLease lease, Duration life, List<ExportedFile> files) {
        return run(
                () ->
                        held(
                                lease,
                                of(
                                                "UPDATE job_export SET leased_until = "
                                                        + END
                                                        + ", files = :files, rows_written = :rows,"
                                                        + " bytes_written = :bytes"
                                                        + HELD
                                                        + " AND NOT canceled",
                                                lease)
                                        .param("millis", life.toMillis())
                                        .param("files", ExportedFile.toJson(files))
                                        .param("rows", sum(files, ExportedFile::rows))
                                        .param("bytes", sum(files, ExportedFile::bytes))
                                        .update()));
    }

    private static long sum(List<ExportedFile> files, ToLongFunction<ExportedFile> of) {
        return files.stream().mapToLong(of).sum();
    }

    private Held held(ExportLease lease, int updated) {
        Optional<Boolean> canceled =
                of("SELECT canceled FROM job_export" + HELD, lease).query(Boolean.class).optional();
        if (canceled.isEmpty()) {
            return Held.LOST;
        }
        return canceled.get() ? Held.CANCELED : updated == 1 ? Held.YES : Held.LOST;
    }

    @Override
    public void complete(ExportLease lease) {
        end(lease, "state = 'COMPLETED'");
    }

    @Override
    public void fail(ExportLease lease, Export.Failure failure) {
        run(
                () ->
                        of(
                                        """
                                        UPDATE job_export SET state = 'FAILED', leased_until = NULL,
                                          files = NULL, failure_code = :code, failure = :failure,
                                          failure_context = :context,
                                          ended_at = CURRENT_TIMESTAMP
                                        """
                                                + HELD,
                                        lease)
                                .param("code", failure.code().name())
                                .param("failure", StorableText.forPeople(failure.message()))
                                .param("context", ExportRows.context(failure))
                                .update());
    }

    @Override
    public void ended(ExportLease lease) {
        end(lease, "state = 'CANCELED'");
    }

    private void end(ExportLease lease, String state) {
        run(
                () ->
                        of(
                                        "UPDATE job_export SET "
                                                + state
                                                + ", leased_until = NULL, ended_at ="
                                                + " COALESCE(ended_at, CURRENT_TIMESTAMP)"
                                                + HELD,
                                        lease)
                                .update());
    }

    @Override
    public void release(ExportLease lease) {
        run(
                () ->
                        of(
                                        """
                                        UPDATE job_export SET state = 'QUEUED', leased_until = NULL,
                                          attempts = attempts - 1, rows_written = 0, bytes_written = 0
                                        """
                                                + HELD,
                                        lease)
                                .update());
    }

    @Override
    public void cancel(String id) {
        run(
                () -> {
                    jdbc.sql(
                                    """
                                    UPDATE job_export SET state = 'CANCELED', ended_at = CURRENT_TIMESTAMP
                                    WHERE id = :id AND state = 'QUEUED'
                                    """)
                            .param("id", id)
                            .update();
                    return jdbc.sql(
                                    """
                                    UPDATE job_export SET canceled = TRUE, ended_at = CURRENT_TIMESTAMP
                                    WHERE id = :id AND state = 'RUNNING' AND files IS NULL AND NOT canceled
                                    """)
                            .param("id", id)
                            .update();
                });
    }

    private StatementSpec of(String sql, ExportLease lease) {
        return jdbc.sql(sql).param("id", lease.export()).param("epoch", lease.epoch());
    }
}
