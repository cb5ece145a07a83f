package io.spillway.rows;

import io.spillway.batch.BatchGroup;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;

/** Numbers the rows of groups. */
final class NumberedGroups implements PollStream<NumberedRows> {

    private final PollStream<BatchGroup> groups;
    private long next;

    /**
     * @param from number of the first row
     */
    NumberedGroups(PollStream<BatchGroup> groups, long from) {
        this.groups = groups;
        this.next = from;
    }

    @Override
    public Poll<NumberedRows> poll() {
        return switch (groups.poll()) {
            case Poll.Output<BatchGroup>(BatchGroup group) -> {
                long first = next;
                next += group.rows();
                yield Poll.output(new NumberedBatch(first, group));
            }
            case Poll.Blocked<BatchGroup>(var until) -> Poll.blocked(until);
            case Poll.Finished<BatchGroup>() -> Poll.finished();
        };
    }

    @Override
    public void release() {
        groups.release();
    }

    @Override
    public void close() {
        groups.close();
    }
}
