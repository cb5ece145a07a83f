package io.spillway.group;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What comes of a claim. That all is committed is a {@code GROUP_DONE}. */
public sealed interface Claimed {

    /**
     * Batches, one at least.
     *
     * @param group they are of
     */
    record Leases(Group group, List<Lease> leases) implements Claimed {

        public Leases {
            leases = List.copyOf(leases);
        }
    }

    /**
     * Others have all that is left.
     *
     * @param retry when some of it may be free at the latest
     */
    record NoneFree(Duration retry) implements Claimed {}

    /**
     * Where the next batch ends is being found out.
     *
     * @param row that is to be known
     * @param known done when it is; cancelling takes the wish back
     */
    record Unknown(long row, CompletableFuture<Void> known) implements Claimed {}
}
