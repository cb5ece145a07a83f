package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.execution.Partition;
import io.spillway.expression.Expression;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.ScanStream;
import java.util.concurrent.CompletableFuture;

/**
 * A chain, or a slice of one, that is about to be read.
 *
 * @param lesson whom to tell how many rows come of how many
 */
record ChainPartition(Chain chain, Lesson lesson, ReadContext context) implements Partition {

    /** Who learns from a reading. */
    sealed interface Lesson {

        /** Nobody: each row comes out. */
        record None() implements Lesson {}

        /**
         * The places of the whole chain.
         *
         * @param origin row of the partition at which the whole chain's part starts
         * @param start where the slice starts
         * @param toEnd whether the slice goes to the end of the part
         */
        record Of(Checkpoints places, long origin, Place start, boolean toEnd) implements Lesson {}
    }

    @Override
    public CompletableFuture<MemoryReservation> admit() {
        return chain.part().admit(context);
    }

    @Override
    public BatchStream open() {
        Expression test = chain.test();
        ScanStream tested = test == null ? null : chain.part().test(test, context);
        BatchStream rows =
                tested == null
                        ? watched(chain, chain.part().open(context))
                        : watched(chain.tested(), tested);
        return rows.schema().size() == 0 ? new MergedCounts(rows) : rows;
    }

    private BatchStream watched(Chain over, ScanStream rows) {
        return switch (lesson) {
            case Lesson.None() -> over.over(rows, context.pool().allocator());
            case Lesson.Of(Checkpoints places, long origin, Place start, boolean toEnd) ->
                    new Watch(places, rows, origin, start.out(), toEnd)
                            .over(input -> over.over(input, context.pool().allocator()));
        };
    }
}
