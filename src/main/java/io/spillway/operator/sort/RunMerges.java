package io.spillway.operator.sort;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.execution.Failures;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many runs are merged at once, by the memory that there is for a block or two of each,
 * and merges neighbours until those that are left can be. It merges the smallest neighbours, and no
 * more of them than must be.
 */
final class RunMerges {

    /** Runs that are merged at once at most. */
    static final int MAX_FAN_IN = 128;

    private final MemoryPool pool;
    private final Parts parts;
    private final long most;

    /** What the last merge works with. */
    private @Nullable MemoryReservation memory;

    /** Memory for two runs, for which it waits. */
    private @Nullable CompletableFuture<MemoryReservation> awaited;

    /**
     * Nothing is merged yet.
     *
     * @param most memory that can be had at all: two runs are merged with that, whatever they take
     */
    RunMerges(MemoryPool pool, Parts parts, long most) {
        this.pool = pool;
        this.most = most;
        this.parts = parts;
    }

    /** Whether all parts can be merged now; then there is memory for it until {@link #release}. */
    boolean isReady(List<SortedPart> all) {
        long need = need(all, 0, all.size());
        if (need == 0) {
            return true;
        }
        if (all.size() <= 2 && awaited != null && awaited.isDone()) {
            memory = granted(awaited);
            awaited = null;
        } else if (awaited == null
                && all.stream().filter(SortedRun.class::isInstance).count() <= MAX_FAN_IN) {
            memory = pool.tryAdmit(need);
        }
        return memory != null;
    }

    /** Memory that merging some parts takes, and reading one more block. */
    private static long need(List<SortedPart> parts, int from, int to) {
        long sum = 0;
        long largest = 0;
        for (SortedPart part : parts.subList(from, to)) {
            sum += part.mergeBytes();
            largest = Math.max(largest, part.mergeBytes());
        }
        return sum + largest / 2;
    }

    /**
     * Starts to merge some runs into one.
     *
     * @param runs all of the sort, which are too many
     */
    Poll<RecordBatch> next(List<SortedPart> runs) {
        CompletableFuture<MemoryReservation> asked = awaited;
        if (asked != null) {
            if (!asked.isDone()) {
                return Poll.blocked(asked);
            }
            awaited = null;
            return merge(runs, 2, granted(asked));
        }
        for (int count = Math.min(MAX_FAN_IN, runs.size() - 1);
                count >= 2;
                count -= Math.max(1, count / 4)) {
            int from = smallest(runs, count);
            MemoryReservation got = pool.tryAdmit(need(runs, from, from + count));
            if (got != null) {
                return merge(runs, Math.min(count, runs.size() - count + 1), got);
            }
        }
        int from = smallest(runs, Math.min(2, runs.size()));
        long need = need(runs, from, Math.min(from + 2, runs.size()));
        awaited = pool.admit(Math.min(need, most));
        return Poll.blocked(awaited);
    }

    private Poll<RecordBatch> merge(List<SortedPart> runs, int count, MemoryReservation got) {
        int from = smallest(runs, count);
        parts.mergeRuns(from, from + count, got);
        return Poll.blocked(parts.progress());
    }

    /** Where so many neighbours begin that have the fewest rows. */
    private static int smallest(List<SortedPart> runs, int count) {
        long rows = 0;
        for (SortedPart run : runs.subList(0, count)) {
            rows += run.rows();
        }
        int best = 0;
        long least = rows;
        for (int from = 1; from + count <= runs.size(); from++) {
            rows += runs.get(from + count - 1).rows() - runs.get(from - 1).rows();
            if (rows < least) {
                least = rows;
                best = from;
            }
        }
        return best;
    }

    /** Whether anything is to be released. */
    boolean isHeld() {
        return memory != null;
    }

    /** Gives the memory back, and waits for none. */
    void release() {
        MemoryReservation held = memory;
        memory = null;
        if (held != null) {
            held.close();
        }
        CompletableFuture<MemoryReservation> asked = awaited;
        awaited = null;
        giveBack(asked);
    }

    /**
     * What was asked for and has been answered.
     *
     * @throws io.spillway.error.SpillwayException if it can never be had
     */
    static MemoryReservation granted(CompletableFuture<MemoryReservation> asked) {
        if (asked.isCompletedExceptionally()) {
            throw Failures.asSpillway(asked.exceptionNow());
        }
        return asked.resultNow();
    }

    /** Takes a request back, or gives back what was granted. */
    static void giveBack(@Nullable CompletableFuture<MemoryReservation> asked) {
        if (asked != null && !asked.cancel(false) && !asked.isCompletedExceptionally()) {
            asked.resultNow().close();
        }
    }
}
