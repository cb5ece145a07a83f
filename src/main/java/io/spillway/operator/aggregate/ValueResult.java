package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import java.util.List;

/** What becomes of groups' values that stand in order. */
interface ValueResult {

    /** Whether it looks at few of a group's values. */
    boolean isSparse();

    /**
     * The places of the values that it looks at, ascending; a negative one in place of a null.
     *
     * @param first place of the group's first value
     * @param count of the values that count, which come first
     */
    void look(long first, long count, Places to);

    /**
     * The results, one a group.
     *
     * @param taken the values at the places of all groups
     * @param counts of values that count in each group
     */
    ColumnVector results(RecordBatch taken, List<Long> counts);
}
