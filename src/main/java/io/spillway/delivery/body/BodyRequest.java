package io.spillway.delivery.body;

import io.spillway.encode.Caps;
import io.spillway.error.SpillwayException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A body that is asked for. */
final class BodyRequest {

    private final long firstRow;
    private final Caps caps;
    private final boolean dropLast;
    private final CompletableFuture<BodyRead> answer = new CompletableFuture<>();
    private volatile @Nullable SpillwayException spoilt;

    /**
     * @param caps what closes its batch
     * @param dropLast whether a batch that the job's end closes is left out
     */
    BodyRequest(long firstRow, Caps caps, boolean dropLast) {
        this.firstRow = firstRow;
        this.caps = caps;
        this.dropLast = dropLast;
    }

    long firstRow() {
        return firstRow;
    }

    Caps caps() {
        return caps;
    }

    boolean dropLast() {
        return dropLast;
    }

    CompletableFuture<BodyRead> answer() {
        return answer;
    }

    /** The row behind its batch, if that does not depend on the rows; else null. */
    @Nullable Long end() {
        return caps.bytes() == Long.MAX_VALUE && caps.weightColumn() < 0
                ? Long.valueOf(firstRow + caps.rows())
                : null;
    }

    /** It can have no body, for a reason. */
    void spoil(SpillwayException why) {
        spoilt = why;
    }

    /** Why it can have none; null if it may have one. */
    @Nullable SpillwayException spoilt() {
        return spoilt;
    }
}
