package io.spillway.rows;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.RowHash;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which rows a sample of so many takes, a function of a seed and the number of rows alone; every
 * choice is as likely. Keeps what it last chose for as long as the heap has room. Thread-safe.
 *
 * <p>Few of many are drawn, and drawn again where two are the same, until there are enough; then
 * they are sorted. Of a set that is not much larger each row is taken with the probability that is
 * left for it: Algorithm S (Fan, Muller, Rezucha 1962; Knuth, "The Art of Computer Programming",
 * volume 2, 3.4.2). Both work on whole numbers, drawn from intervals without bias by Lemire's
 * method ("Fast Random Integer Generation in an Interval", 2019), so that every machine chooses the
 * same.
 */
final class SampleChoice {

    /** The most elements that an array can have anywhere. */
    private static final int MOST = Integer.MAX_VALUE - 8;

    private final long rows;
    private final long seed;
    private SoftReference<long[]> last = new SoftReference<>(new long[0]);

    SampleChoice(long rows, long seed) {
        this.rows = rows;
        this.seed = seed;
    }

    /** How many rows are asked for. */
    long rows() {
        return rows;
    }

    /** How many rows of so many are taken. */
    long of(long total) {
        return Math.min(rows, total);
    }

    /**
     * Accounts for what {@link #choose} makes, until the reservation is closed.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if that is too much
     */
    MemoryReservation account(MemoryPool pool) {
        if (rows > MOST) {
            throw new SpillwayException(
                            ErrorCode.MEMORY_LIMIT,
                            "A sample of %,d rows is larger than can be chosen".formatted(rows))
                    .with(SpillwayException.LIMIT, MOST);
        }
        return pool.account(rows * Long.BYTES);
    }

    /**
     * The numbers of the rows that are taken, ascending. Takes a while if they are many.
     *
     * @param total over {@link #rows()}, which is not over what an array can have
     */
    synchronized long[] choose(long total) {
        int count = Math.toIntExact(rows);
        long @Nullable [] known = last.get();
        if (known != null && known.length == count && count > 0) {
            return known;
        }
        Draws draws = new Draws(new RowHash(seed));
        long[] chosen = count > total / 2 ? each(count, total, draws) : few(count, total, draws);
        last = new SoftReference<>(chosen);
        return chosen;
    }

    /** Algorithm S. */
    private static long[] each(int count, long total, Draws draws) {
        long[] chosen = new long[count];
        int taken = 0;
        for (long row = 0; taken < count; row++) {
            if (draws.below(total - row) < count - taken) {
                chosen[taken++] = row;
            }
        }
        return chosen;
    }

    private static long[] few(int count, long total, Draws draws) {
        long[] chosen = new long[count];
        int distinct = 0;
        while (distinct < count) {
            for (int i = distinct; i < count; i++) {
                chosen[i] = draws.below(total);
            }
            Arrays.sort(chosen);
            distinct = 1;
            for (int i = 1; i < count; i++) {
                if (chosen[i] != chosen[distinct - 1]) {
                    chosen[distinct++] = chosen[i];
                }
            }
        }
        return chosen;
    }

    /** Numbers from intervals, one after the other. */
    private static final class Draws {

        private final RowHash bits;
        private long next;

        Draws(RowHash bits) {
            this.bits = bits;
        }

        /** A number from 0 to below a bound. */
        long below(long bound) {
            long drawn = bits.of(next++);
            long low = drawn * bound;
            if (Long.compareUnsigned(low, bound) < 0) {
                long unfair = Long.remainderUnsigned(-bound, bound);
                while (Long.compareUnsigned(low, unfair) < 0) {
                    drawn = bits.of(next++);
                    low = drawn * bound;
                }
            }
            return Math.unsignedMultiplyHigh(drawn, bound);
        }
    }
}
