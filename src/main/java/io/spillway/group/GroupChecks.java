package io.spillway.group;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.KnownRows;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.ClaimRequest;
import io.spillway.plan.document.GroupRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether what is asked of groups may be. What is not is refused with its place in the body. */
final class GroupChecks {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** A lease that is shorter is over before its holder knows of it. */
    private static final Duration LEAST_LEASE = Duration.ofMillis(100);

    private final GroupSettings settings;

    GroupChecks(GroupSettings settings) {
        this.settings = settings;
    }

    /** Whether there may be such a group of a job with such rows. */
    void checkGroup(String name, GroupRequest request, RowSchema schema) {
        if (!NAME.matcher(name).matches()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            "A group's name has 1 to 64 letters, digits, '_' and '-'")
                    .with(SpillwayException.PARAMETER, "group")
                    .with(SpillwayException.FOUND, name);
        }
        checkSize(request);
        checkWeight(request.batch().weight(), schema);
    }

    private void checkSize(GroupRequest request) {
        if (request.batch().rows() > settings.maxBatchRows()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "A batch has %,d rows at most, not %,d"
                                    .formatted(settings.maxBatchRows(), request.batch().rows()))
                    .with(SpillwayException.POINTER, "/batch/rows")
                    .with(SpillwayException.FOUND, request.batch().rows())
                    .with(SpillwayException.LIMIT, settings.maxBatchRows());
        }
    }

    private static void checkWeight(BatchShape.@Nullable Weight weight, RowSchema schema) {
        if (weight == null) {
            return;
        }
        int column = schema.indexOf(weight.column());
        if (column < 0) {
            throw new SpillwayException(
                            ErrorCode.UNKNOWN_COLUMN,
                            "The job has no column '" + weight.column() + "'")
                    .with(SpillwayException.POINTER, "/batch/weight/column")
                    .with(SpillwayException.FOUND, weight.column())
                    .with(
                            SpillwayException.SUGGESTION,
                            NearestName.of(weight.column(), schema.names()));
        }
        ColumnType type = schema.column(column).type();
        if (!Weights.isNumeric(type)) {
            throw new SpillwayException(
                            ErrorCode.TYPE_MISMATCH,
                            "The column '%s' is of type %s, and weighs nothing"
                                    .formatted(weight.column(), type))
                    .with(SpillwayException.POINTER, "/batch/weight/column")
                    .with(SpillwayException.FOUND, type.toString())
                    .with(SpillwayException.EXPECTED, "a numeric column");
        }
    }

    /** How long a lease lasts, if so much was asked for. */
    Duration leaseTime(@Nullable Duration asked, Duration usual) {
        if (asked == null) {
            return usual;
        }
        if (asked.compareTo(LEAST_LEASE) < 0 || asked.compareTo(settings.maxLeaseTime()) > 0) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "A lease lasts from %s to %s, not %s"
                                    .formatted(LEAST_LEASE, settings.maxLeaseTime(), asked))
                    .with(SpillwayException.POINTER, "/leaseTime")
                    .with(SpillwayException.FOUND, asked.toString())
                    .with(SpillwayException.LIMIT, settings.maxLeaseTime().toString());
        }
        return asked.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Whether so much may be claimed at a time. */
    void checkClaim(ClaimRequest request) {
        if (request.batches() > settings.maxClaim()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "A claim is for %,d batches at most, not %,d"
                                    .formatted(settings.maxClaim(), request.batches()))
                    .with(SpillwayException.POINTER, "/batches")
                    .with(SpillwayException.FOUND, request.batches())
                    .with(SpillwayException.LIMIT, settings.maxClaim());
        }
    }

    /** Whether a batch of the group may begin at a row. */
    void checkBorder(Group group, long row, Job job, Function<Job, KnownRows> rowsOf) {
        long rows = group.batch().rows();
        if (!group.batch().isCapped() && row % rows != 0) {
            throw badRow(row, "Batches of %,d rows begin at multiples of that".formatted(rows))
                    .with(
                            SpillwayException.EXPECTED,
                            "%d or %d".formatted(row - row % rows, row - row % rows + rows));
        }
        if (row <= group.nextRow()) {
            return;
        }
        KnownRows known = rowsOf.apply(job);
        Long total = known.total();
        if (total != null && row > total) {
            throw badRow(row, "The job has %,d rows".formatted(total));
        }
        if (total == null && row > known.atLeast()) {
            throw new SpillwayException(
                            ErrorCode.ROW_COUNT_UNKNOWN,
                            "Whether the job has %,d rows is not known: count them first, with POST"
                                            .formatted(row)
                                    + " /v1/jobs/"
                                    + job.id()
                                    + ":count")
                    .with(SpillwayException.POINTER, "/row");
        }
    }

    private static SpillwayException badRow(long row, String sentence) {
        return new SpillwayException(ErrorCode.INVALID_PLAN, sentence)
                .with(SpillwayException.POINTER, "/row")
                .with(SpillwayException.FOUND, row);
    }
}
