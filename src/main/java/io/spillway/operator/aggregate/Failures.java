package io.spillway.operator.aggregate;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;

/** What can go wrong in an aggregation. */
final class Failures {

    private Failures() {}

    static SpillwayException manyRows(String call) {
        return new SpillwayException(
                ErrorCode.TOO_MANY_ROWS, call + " takes one row at most, and there are more");
    }

    /** What memory was asked for in vain. */
    static SpillwayException refused(Throwable failure) {
        return io.spillway.execution.Failures.asSpillway(failure);
    }

    /** One row of one group does not fit, and nothing of it can be spilled. */
    static SpillwayException tooLarge(String what) {
        return new SpillwayException(ErrorCode.MEMORY_LIMIT, what);
    }
}
