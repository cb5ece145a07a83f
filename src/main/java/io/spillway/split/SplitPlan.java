package io.spillway.split;

import io.spillway.cursor.Split;
import java.util.List;

/**
 * The parts that a job is taken into.
 *
 * @param ranges in the order of their rows
 * @param droppedRows how many rows of the job, its last ones, are in none of them
 */
record SplitPlan(List<Split.Range> ranges, long droppedRows) {

    SplitPlan {
        ranges = List.copyOf(ranges);
    }

    /** All rows are in one of these. */
    SplitPlan(List<Split.Range> ranges) {
        this(ranges, 0);
    }

    /** How many rows are in more than one split, or more than once in one: each time but one. */
    long repeatedRows() {
        long sum = 0;
        for (Split.Range range : ranges) {
            if (range instanceof Split.Rows rows) {
                sum += rows.repeats();
            }
        }
        return sum;
    }
}
