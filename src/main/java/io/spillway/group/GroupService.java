package io.spillway.group;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.cursor.LeaseRef;
import io.spillway.cursor.LeaseToken;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobIds;
import io.spillway.job.JobService;
import io.spillway.job.KnownRows;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.ClaimRequest;
import io.spillway.plan.document.GroupRequest;
import io.spillway.plan.document.PlanRequestParser;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What callers can do with consumer groups and their leases. Calls wait for the database; run them
 * where waiting is allowed. A group of another owner's job does not exist. Whoever claims, commits
 * and so on renews the job's life.
 */
public final class GroupService {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** A lease that is shorter is over before its holder knows of it. */
    private static final Duration LEAST_LEASE = Duration.ofMillis(100);

    private final PlanRequestParser parser;
    private final JobService jobs;
    private final GroupStore store;
    private final LeaseToken tokens;
    private final GroupSettings settings;
    private final Clock clock;
    private final Claims claims;

    public GroupService(
            PlanRequestParser parser,
            JobService jobs,
            GroupStore store,
            LeaseToken tokens,
            GroupSettings settings,
            Clock clock) {
        this.parser = parser;
        this.jobs = jobs;
        this.store = store;
        this.tokens = tokens;
        this.settings = settings;
        this.clock = clock;
        this.claims = new Claims(jobs, store, settings);
    }

    /** A group as it is, and whether this call made it. */
    public record Made(GroupProgress progress, boolean created) {}

    /**
     * Makes a group, or finds the one that was made in the same way.
     *
     * @throws SpillwayException what is wrong with the body; {@code UNKNOWN_JOB}, {@code
     *     JOB_EXPIRED}, {@code JOB_CANCELED}; {@code GROUP_CONFLICT} if there is one that was made
     *     in another way; {@code TOO_MANY_GROUPS}
     */
    public Made put(String owner, String jobId, String name, byte[] body) {
        GroupRequest request = parser.parseGroup(body);
        Job job = jobs.toRead(owner, jobId);
        if (!NAME.matcher(name).matches()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            "A group's name has 1 to 64 letters, digits, '_' and '-'")
                    .with(SpillwayException.PARAMETER, "group")
                    .with(SpillwayException.FOUND, name);
        }
        checkSize(request);
        checkWeight(request.batch().weight(), job.plan().schema());
        Group asked =
                Group.starting(
                        JobIds.next(),
                        job.id(),
                        name,
                        clock.instant().truncatedTo(ChronoUnit.MILLIS),
                        request.batch(),
                        leaseTime(request.leaseTime(), settings.leaseTime()));
        Optional<Group> there = store.find(job.id(), name);
        if (there.isEmpty() && store.count(job.id()) >= settings.maxGroups()) {
            throw new SpillwayException(
                            ErrorCode.TOO_MANY_GROUPS,
                            "The job has %,d groups, as many as may be"
                                    .formatted(settings.maxGroups()))
                    .with(SpillwayException.LIMIT, settings.maxGroups());
        }
        Group stored = there.orElseGet(() -> store.add(asked));
        if (!stored.isMadeAs(asked)) {
            throw new SpillwayException(
                    ErrorCode.GROUP_CONFLICT,
                    "The group '%s' was made with other settings; its batches stay as they are"
                            .formatted(name));
        }
        return new Made(progress(stored), stored.id().equals(asked.id()));
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

    private Duration leaseTime(@Nullable Duration asked, Duration usual) {
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

    /** A job's groups, by name; also of a job that has ended, while its record is kept. */
    public List<GroupProgress> list(String owner, String jobId) {
        return store.list(jobs.get(owner, jobId).id()).stream().map(this::progress).toList();
    }

    /** How far a group is; also of a job that has ended, while its record is kept. */
    public GroupProgress get(String owner, String jobId, String name) {
        return progress(find(jobs.get(owner, jobId), name));
    }

    private Group find(Job job, String name) {
        return store.find(job.id(), name).orElseThrow(() -> unknown(name));
    }

    private static SpillwayException unknown(String name) {
        return new SpillwayException(
                ErrorCode.UNKNOWN_GROUP, "The job has no group '" + name + "'");
    }

    private GroupProgress progress(Group group) {
        GroupProgress progress = store.progress(group.id());
        if (progress == null) {
            throw unknown(group.name());
        }
        return progress;
    }

    /** Removes a group. Whoever has a lease of it is told so when it is next used. */
    public void remove(String owner, String jobId, String name) {
        store.remove(find(jobs.get(owner, jobId), name).id());
    }

    /**
     * Starts a group anew at a row: what is leased counts no more, and what was committed from that
     * row on is handed out again.
     *
     * @param body {@code {"row": 9600}}
     * @throws SpillwayException {@code INVALID_PLAN} if no batch begins there; {@code
     *     ROW_COUNT_UNKNOWN} if it is not known whether there is such a row
     */
    public GroupProgress reset(String owner, String jobId, String name, byte[] body) {
        long row = parser.parseReset(body);
        Job job = jobs.toRead(owner, jobId);
        Group group = find(job, name);
        checkBorder(job, group, row);
        return progress(store.reset(group.id(), row).orElseThrow(() -> unknown(name)));
    }

    private void checkBorder(Job job, Group group, long row) {
        long rows = group.batch().rows();
        if (!group.batch().isCapped() && row % rows != 0) {
            throw badRow(row, "Batches of %,d rows begin at multiples of that".formatted(rows))
                    .with(SpillwayException.EXPECTED, "%d or %d".formatted(row - row % rows, row - row % rows + rows));
        }
        if (row <= group.nextRow()) {
            return;
        }
        KnownRows known = jobs.known(job);
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

    /**
     * Leases the next batches to a reader: those that were given back or are overdue, then new
     * ones.
     *
     * @param body {@code {"reader": "worker-7", "batches": 2, "leaseTime": "60s"}}
     * @param deadline until when rows may be looked at to find where batches end; as {@link
     *     System#nanoTime()} tells it
     * @throws SpillwayException {@code GROUP_DONE} if all are committed
     */
    public Claimed claim(String owner, String jobId, String name, byte[] body, long deadline) {
        ClaimRequest request = parser.parseClaim(body);
        Job job = jobs.toRead(owner, jobId);
        Group group = find(job, name);
        if (request.batches() > settings.maxClaim()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "A claim is for %,d batches at most, not %,d"
                                    .formatted(settings.maxClaim(), request.batches()))
                    .with(SpillwayException.POINTER, "/batches")
                    .with(SpillwayException.FOUND, request.batches())
                    .with(SpillwayException.LIMIT, settings.maxClaim());
        }
        return claims.claim(
                job,
                group,
                new GroupStore.Claim(
                        request.reader(),
                        request.batches(),
                        leaseTime(request.leaseTime(), group.leaseTime())),
                deadline);
    }

    /**
     * Makes a lease last for a time from now on, be it overdue, unless its batch was claimed since.
     *
     * @param body {@code {"leaseTime": "60s"}}, or empty for the group's own time
     * @throws SpillwayException {@code INVALID_LEASE}, {@code LEASE_LOST}, {@code UNKNOWN_GROUP};
     *     {@code UNKNOWN_JOB}, {@code JOB_EXPIRED}, {@code JOB_CANCELED}
     */
    public Claimed.Leases renew(String owner, String token, byte[] body) {
        Duration asked = parser.parseLeaseTime(body);
        LeaseRef ref = toUse(owner, token);
        Group group = store.find(ref.group()).orElseThrow(GroupService::gone);
        Lease lease =
                store.renew(ref, leaseTime(asked, group.leaseTime())).orElseThrow(() -> lost(ref));
        return new Claimed.Leases(group, List.of(lease));
    }

    /**
     * Says that a batch is dealt with; again says the same. Overdue leases count until their batch
     * is claimed.
     *
     * @throws SpillwayException as {@link #renew}; nothing changed then
     */
    public void commit(String owner, String token) {
        LeaseRef ref = toUse(owner, token);
        if (!store.commit(ref)) {
            throw lost(ref);
        }
    }

    /**
     * Gives a batch back, so that the next claim gets it at once.
     *
     * @throws SpillwayException as {@link #renew}; nothing changed then
     */
    public void release(String owner, String token) {
        LeaseRef ref = toUse(owner, token);
        if (!store.release(ref)) {
            throw lost(ref);
        }
    }

    /** What a holder shows when it uses a lease. */
    public String token(Lease lease) {
        return tokens.encode(lease.ref());
    }

    private LeaseRef toUse(String owner, String token) {
        LeaseRef ref = tokens.decode(token);
        jobs.toRead(owner, ref.jobId());
        return ref;
    }

    private static SpillwayException gone() {
        return new SpillwayException(ErrorCode.UNKNOWN_GROUP, "The lease's group was removed");
    }

    /** Why a lease does not count any more. */
    private SpillwayException lost(LeaseRef ref) {
        Group group = store.find(ref.group()).orElseThrow(GroupService::gone);
        Optional<Lease> holder = store.holder(ref);
        String sentence =
                group.generation() != ref.generation()
                        ? "The group was reset since this lease was claimed"
                        : holder.isPresent()
                                ? "The batch was claimed by '%s' since, with epoch %d after %d"
                                        .formatted(
                                                holder.get().reader(),
                                                holder.get().ref().epoch(),
                                                ref.epoch())
                                : "The batch is committed, or was given back";
        return new SpillwayException(ErrorCode.LEASE_LOST, sentence)
                .with(SpillwayException.ROW, ref.firstRow());
    }
}
