package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import java.util.List;

/**
 * A call that keeps more of a group than words: one word in the group's state says where the rest
 * is, 0 that there is none.
 *
 * <p>Rows are added in two steps, so that they are added to all calls or to none: {@link #reserve}
 * makes room, then {@link #add} cannot fail for want of it.
 */
interface StoredCall extends AutoCloseable {

    /**
     * Makes room for rows of a batch.
     *
     * @param rows of the batch, of which the first {@code count} are added
     * @param ids groups of these rows
     * @return false if there is no memory for them
     */
    boolean reserve(RecordBatch batch, int[] rows, int[] ids, int count, GroupStates states);

    /** Gives back the room that has been made and not been used. */
    void unreserve();

    /** Adds the rows for which room has been made, in their order. */
    void add(RecordBatch batch, int[] rows, int[] ids, int count, GroupStates states);

    /** Adds to a group what another one has seen, whose rows come after its own. */
    void merge(int from, int to, GroupStates states);

    /** The results of groups {@code [from, from + count)}; the caller owns them. */
    ColumnVector results(int from, int count, GroupStates states);

    /** The columns that {@link #save} gives. */
    List<ColumnSchema> savedColumns();

    /** What is kept of groups {@code [from, from + count)}; the caller owns it. */
    List<ColumnVector> save(int from, int count, GroupStates states);

    /** Makes room for what was saved; false if there is no memory for it. */
    boolean reserveSaved(RecordBatch saved, int firstColumn);

    /**
     * Takes back what was saved, for which room has been made; the groups' states are there
     * already.
     *
     * @param saved stays the caller's
     * @param firstColumn where in it this call's columns begin
     * @param firstGroup number of the first group that was saved
     */
    void load(RecordBatch saved, int firstColumn, int firstGroup, GroupStates states);

    @Override
    void close();
}
