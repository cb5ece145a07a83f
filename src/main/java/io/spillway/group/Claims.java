package io.spillway.group;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobService;
import io.spillway.job.KnownRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds batches for those who claim: first those that were given back or are overdue, then new
 * ones, which are cut here. Even batches follow from what is known of the job's rows; those with
 * caps are cut by reading the rows, some more than are claimed at a time, and recorded before
 * anybody gets one.
 */
final class Claims {

    /** Batches with caps that are cut at a time, so that not each claim opens the rows. */
    private static final int CUT_AT_ONCE = 32;

    private static final Cutter.Cuts NONE = new Cutter.Cuts(List.of(), null);

    private final JobService jobs;
    private final GroupStore store;
    private final GroupSettings settings;
    private final CapCutter caps;
    private final GroupTurns turns = new GroupTurns();

    Claims(JobService jobs, GroupStore store, GroupSettings settings) {
        this.jobs = jobs;
        this.store = store;
        this.settings = settings;
        this.caps = new CapCutter(jobs);
    }

    /**
     * Claims.
     *
     * @param deadline until when caps may be looked at; as {@link System#nanoTime()} tells it
     * @throws SpillwayException {@code GROUP_DONE}; {@code UNKNOWN_GROUP} if it was removed; what
     *     goes wrong with the rows
     */
    Claimed claim(Job job, Group group, GroupStore.Claim claim, long deadline) {
        List<Lease> leases = new ArrayList<>(store.takeFree(group, claim));
        if (!group.isCut()) {
            if (!group.batch().isCapped()) {
                leases.addAll(even(job, group, claim.less(leases.size())));
            } else if (leases.isEmpty()) {
                leases.addAll(capped(job, group, claim, deadline));
            }
        }
        if (leases.isEmpty()) {
            return none(job, group);
        }
        // Their holders read rows near each other, each a few of them.
        jobs.sharePages(job, claim.life());
        return new Claimed.Leases(group, leases);
    }

    private List<Lease> even(Job job, Group group, GroupStore.Claim claim) {
        if (claim.batches() == 0) {
            return List.of();
        }
        KnownRows known = jobs.known(job);
        Cutter cutter = new EvenCutter(group.batch().rows(), group.batch().dropLast(), known);
        return store.takeNew(group, claim, cutter, settings.maxAhead());
    }

    private List<Lease> capped(Job job, Group group, GroupStore.Claim claim, long deadline) {
        return turns.take(group.id(), deadline, () -> inTurn(job, group, claim, deadline))
                .orElse(List.of());
    }

    private List<Lease> inTurn(Job job, Group seen, GroupStore.Claim claim, long deadline) {
        // Whose turn it was before has cut more than it took.
        List<Lease> left = store.takeFree(seen, claim);
        Optional<Group> now =
                store.find(seen.id())
                        .filter(group -> group.generation() == seen.generation() && !group.isCut());
        if (!left.isEmpty() || now.isEmpty()) {
            return left;
        }
        Group group = now.get();
        int most = (int) Math.max(claim.batches(), CUT_AT_ONCE);
        Cutter.Cuts cuts = caps.cut(job, group, most, deadline);
        List<Lease> taken =
                store.takeNew(
                        group,
                        claim,
                        (row, batches) -> row == group.nextRow() ? cuts : NONE,
                        settings.maxAhead());
        // Another process may have cut the same.
        return taken.isEmpty() ? store.takeFree(group, claim) : taken;
    }

    private Claimed none(Job job, Group seen) {
        GroupProgress progress = store.progress(seen.id());
        if (progress == null) {
            throw new SpillwayException(ErrorCode.UNKNOWN_GROUP, "The group was removed");
        }
        Group group = progress.group();
        if (group.isDone()) {
            throw new SpillwayException(
                    ErrorCode.GROUP_DONE,
                    "All %,d batches of the group are committed"
                            .formatted(progress.committedBatches()));
        }
        boolean isFull = group.nextBatch() - group.committedBatches() >= settings.maxAhead();
        if (!group.isCut() && !isFull && !group.batch().isCapped()) {
            long row = group.nextRow() + group.batch().rows();
            return new Claimed.Unknown(row, jobs.reach(job, row));
        }
        Duration end = progress.nextEnd();
        return new Claimed.NoneFree(end == null ? Duration.ZERO : end);
    }
}
