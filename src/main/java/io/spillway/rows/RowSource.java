package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Partition;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Operator;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a plan, by number. Any number of streams may be open, each with an order and content
 * that depend on nothing but the plan: for every {@code from} and {@code to}, a stream gives
 * exactly the rows that a full stream has there.
 *
 * <p>What a source gives never changes, but it learns where its rows are: by counting, and from
 * every stream that reads on from what is known. Sources made of a source share what it has learnt.
 * Thread-safe.
 */
public sealed interface RowSource
        permits PartitionedSource,
                MappedSource,
                SerialSource,
                LimitSource,
                UnionSource,
                SampleSource,
                RepartitionSource,
                SpooledSource {

    RowSchema schema();

    /** The number of rows, if it is known by now. */
    OptionalLong rowCount();

    /** A number of rows that there are for sure, as far as that is known by now. */
    long rowsAtLeast();

    /** The number of rows, from the first one on, whose places are known by now. */
    long rowsPlaced();

    /**
     * Whether a stream from a row on finds its place without reading much that is before it, or
     * there is no such row.
     */
    default boolean reaches(long row) {
        long placed = rowsPlaced();
        if (row <= placed) {
            return true;
        }
        OptionalLong total = rowCount();
        return total.isPresent() && placed >= total.getAsLong();
    }

    /**
     * Number of the first row of the partition behind the one that has a row; {@code
     * Long.MAX_VALUE} where that is not known.
     */
    default long partitionEnd(long row) {
        return Long.MAX_VALUE;
    }

    /** Number of partitions that a full stream reads. */
    int partitions();

    /** Number of partitions, from the first one on, whose rows are counted by now. */
    int partitionsCounted();

    /**
     * What is read for the rows, in order, if each part of it can be read without the others: the
     * same whenever it is asked for, but for what is learnt of the rows that come of it. Empty if
     * rows cannot be had like that, or not yet.
     */
    default List<InputPart> inputParts() {
        return List.of();
    }

    /**
     * The rows that come of a range of the {@link #inputParts()}, numbered from 0 on, as a source
     * of their own, which learns by itself.
     *
     * @param fromPart number of the first part, and of its first row that is read
     * @param toPart number of the last part, and of the row behind the last one of it that is read
     */
    default RowSource input(int fromPart, long fromRow, int toPart, long toRow) {
        throw new IllegalStateException("these rows do not come of parts");
    }

    /**
     * Rows {@code [from, to)}, as far as there are. Nothing runs before the first pull.
     *
     * @param from first row, ≥ 0
     * @param to row after the last, ≥ from; {@code Long.MAX_VALUE} for all
     */
    BatchStream open(long from, long to, ReadContext context);

    /**
     * The partitions that all rows together are, each of which can be read by itself, before or
     * after the others; null if they have to be read in order.
     */
    default @Nullable Iterator<Partition> partitions(ReadContext context) {
        return null;
    }

    /**
     * Finds out where rows are, reading no more columns than that takes. When the stream has come
     * to its end, the source reaches row {@code upTo}; what it learns it learns as it goes, also if
     * the stream is closed before. Nothing runs before the first pull.
     *
     * @param upTo number of rows, from the first one on; {@code Long.MAX_VALUE} for all
     */
    default PollStream<CountProgress> count(long upTo, ReadContext context) {
        return new CountStream(this, upTo, context);
    }

    /**
     * All that was learnt, as compact text; null while the number of rows or the place of any is
     * unknown, and for a source that knows them without learning.
     */
    default @Nullable String counts() {
        return CountsText.write(this);
    }

    /**
     * Takes back what a source of the same plan has learnt.
     *
     * @param counts text of {@link #counts()}
     * @throws SpillwayException {@code INTERNAL} if it is damaged or of another plan; nothing is
     *     taken then
     */
    default void learn(String counts) {
        CountsText.read(this, counts);
    }

    /**
     * Rows {@code [offset, offset + rows)} of this source as a source of their own; never
     * overflows.
     */
    RowSource slice(long offset, long rows);

    /** This source with an operator on top. */
    RowSource with(Operator operator);

    /** The same rows with only some of the columns; what either of the two learns, both know. */
    RowSource narrowed(ColumnSet columns);
}
