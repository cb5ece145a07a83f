package io.spillway.group;

import io.spillway.cursor.LeaseRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where groups and leases live, with their jobs, and who has which batch. Thread-safe, shared by
 * replicas; a call returns only once its effect is durable. Leases end by the store's clock, which
 * only says when a batch may be handed out again: that nothing counts twice is a matter of
 * generations and epochs. Calls wait for the database, and fail with {@code STORE_FAILED}.
 */
public interface GroupStore {

    /** Adds a group, or gives the one of that name that is there. */
    Group add(Group group);

    Optional<Group> find(String job, String name);

    /** A group by its id. */
    Optional<Group> find(String id);

    /** A job's groups, by name. */
    List<Group> list(String job);

    /** Number of a job's groups. */
    int count(String job);

    /** Removes a group with its leases; nothing if it is gone. */
    void remove(String id);

    /**
     * Starts anew at a row: earlier leases count no more, and rows before it as committed.
     *
     * @return the group, or empty if it is gone
     */
    Optional<Group> reset(String id, long row);

    /**
     * Who claims, and what.
     *
     * @param reader who that is
     * @param batches how many at most
     * @param life how long the leases last
     */
    record Claim(String reader, long batches, Duration life) {

        /** The same for what is still wanted after some were had. */
        Claim less(int had) {
            return new Claim(reader, batches - had, life);
        }
    }

    /** Takes batches of the group's generation that were given back or are overdue. */
    List<Lease> takeFree(Group group, Claim claim);

    /**
     * Takes batches that nobody had yet.
     *
     * @param cutter cuts them, while all others who want the same wait; more than are wanted are
     *     kept for the next claims
     * @param maxAhead how many batches may be out behind the first one that is not committed
     * @return none if there are none, or the generation is another
     */
    List<Lease> takeNew(Group group, Claim claim, Cutter cutter, long maxAhead);

    /** Lets a lease last for a time from now on; empty if it does not count any more. */
    Optional<Lease> renew(LeaseRef lease, Duration life);

    /**
     * Says that the batch is dealt with.
     *
     * @return false if the lease does not count any more: then nothing changed. True as often as
     *     the holder says so again
     */
    boolean commit(LeaseRef lease);

    /** Gives a batch back; false if the lease does not count any more. */
    boolean release(LeaseRef lease);

    /** The batch of a lease, whoever has it now; empty if it was committed, or never was. */
    Optional<Lease> holder(LeaseRef lease);

    /**
     * How far a group is, everything counted that was committed before; null if it is gone.
     */
    @Nullable GroupProgress progress(String id);
}
