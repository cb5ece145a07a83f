package io.spillway.group;

import io.spillway.cursor.LeaseRef;
import io.spillway.cursor.LeaseToken;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobIds;
import io.spillway.job.JobService;
import io.spillway.plan.document.ClaimRequest;
import io.spillway.plan.document.GroupRequest;
import io.spillway.plan.document.PlanRequestParser;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * What callers can do with consumer groups and their leases. Calls wait for the database; run them
 * where waiting is allowed. A group of another owner's job does not exist. Whoever claims, commits
 * and so on renews the job's life.
 */
public final class GroupService {

    private final PlanRequestParser parser;
    private final JobService jobs;
    private final GroupStore store;
    private final LeaseToken tokens;
    private final GroupSettings settings;
    private final Clock clock;
    private final Claims claims;
    private final GroupChecks checks;

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
        this.checks = new GroupChecks(settings);
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
        checks.checkGroup(name, request, job.plan().schema());
        Group asked =
                Group.starting(
                        JobIds.next(),
                        job.id(),
                        name,
                        clock.instant().truncatedTo(ChronoUnit.MILLIS),
                        request.batch(),
                        checks.leaseTime(request.leaseTime(), settings.leaseTime()));
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
        checks.checkBorder(group, row, job, jobs::known);
        return progress(store.reset(group.id(), row).orElseThrow(() -> unknown(name)));
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
        checks.checkClaim(request);
        return claims.claim(
                job,
                group,
                new GroupStore.Claim(
                        request.reader(),
                        request.batches(),
                        checks.leaseTime(request.leaseTime(), group.leaseTime())),
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
                store.renew(ref, checks.leaseTime(asked, group.leaseTime()))
                        .orElseThrow(() -> lost(ref));
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
