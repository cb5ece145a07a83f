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

    /** One row of one group does not fit, and nothing of it can be spilled. */
    static SpillwayException tooLarge(String what) {
        return new SpillwayException(ErrorCode.MEMORY_LIMIT, what);
    }
}
