package io.spillway.job;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.physical.PhysicalPlan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/** Jobs as rows of the table {@code job}, and back. Instants are kept to the microsecond. */
final class JobRows implements RowMapper<Job> {

    private final PlanCodec plans;

    JobRows(PlanCodec plans) {
        this.plans = plans;
    }

    /** A job as it will be read back: instants to the microsecond, texts that can be stored. */
    static Job storable(Job job) {
        String name = job.name();
        String failure = job.failure();
        return new Job(
                job.id(),
                job.owner(),
                name == null ? null : StorableText.forPeople(name),
                job.createdAt().truncatedTo(ChronoUnit.MICROS),
                job.ttl().truncatedTo(ChronoUnit.MILLIS),
                job.expiresAt().truncatedTo(ChronoUnit.MICROS),
                job.state(),
                failure == null ? null : StorableText.forPeople(failure),
                StorableText.json(job.request()),
                StorableText.forPeople(job.logicalPlan()),
                StorableText.forPeople(job.optimizedPlan()),
                job.plan(),
                job.digest(),
                job.batchRows(),
                job.memoryLimit(),
                job.rowCount());
    }

    /**
     * Column name to value, for a job that is {@linkplain #storable storable}.
     *
     * @param planText its plan, as the codec writes it
     */
    static Map<String, @Nullable Object> columns(Job job, String planText) {
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        columns.put("id", job.id());
        columns.put("owner", job.owner());
        columns.put("name", job.name());
        columns.put("created_at", timestamp(job.createdAt()));
        columns.put("ttl_millis", job.ttl().toMillis());
        columns.put("expires_at", timestamp(job.expiresAt()));
        columns.put("state", job.state().name());
        columns.put("failure", job.failure());
        columns.put("request", job.request());
        columns.put("logical_plan", job.logicalPlan());
        columns.put("optimized_plan", job.optimizedPlan());
        columns.put("physical_plan", StorableText.json(planText));
        columns.put("digest", job.digest());
        columns.put("batch_rows", job.batchRows());
        columns.put("memory_limit", job.memoryLimit());
        columns.put("row_count", job.rowCount());
        return columns;
    }

    @Override
    public Job mapRow(ResultSet row, int number) throws SQLException {
        return new Job(
                row.getString("id"),
                row.getString("owner"),
                row.getString("name"),
                instant(row, "created_at"),
                Duration.ofMillis(row.getLong("ttl_millis")),
                instant(row, "expires_at"),
                Job.StoredState.valueOf(row.getString("state")),
                row.getString("failure"),
                row.getString("request"),
                row.getString("logical_plan"),
                row.getString("optimized_plan"),
                plan(row.getString("id"), row.getString("physical_plan")),
                row.getString("digest"),
                row.getInt("batch_rows"),
                row.getLong("memory_limit"),
                rowCount(row));
    }

    static Job.Life life(ResultSet row) throws SQLException {
        return new Job.Life(
                row.getString("owner"),
                instant(row, "expires_at"),
                Job.StoredState.valueOf(row.getString("state")),
                row.getString("failure"),
                rowCount(row));
    }

    private static @Nullable Long rowCount(ResultSet row) throws SQLException {
        long count = row.getLong("row_count");
        return row.wasNull() ? null : count;
    }

    private PhysicalPlan plan(String jobId, String json) {
        try {
            return plans.read(json);
        } catch (RuntimeException e) {
            throw new SpillwayException(
                    ErrorCode.INTERNAL, "The stored plan of job " + jobId + " cannot be read", e);
        }
    }

    /** An instant as a parameter; never later than the instant itself. */
    static OffsetDateTime timestamp(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
