package io.spillway.operator.aggregate;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of keys in memory, the keys numbered in the order in which they appear. What does
 * not fit is kept by nobody yet: the caller writes it to disk.
 */
interface KeyedState extends AutoCloseable {

    /** Number of keys. */
    int size();

    /**
     * Adds rows, and the keys that they are the first of.
     *
     * @return false if there is no memory for them; no row was added then, though keys may have
     *     been, as keys of no rows
     */
    boolean tryAdd(NumberedRows rows);

    /**
     * The keys of rows by number, {@link io.spillway.operator.key.KeyTable#UNKNOWN} for those that
     * are not here.
     */
    void find(RecordBatch rows, int[] to);

    /**
     * Adds rows of keys that are here.
     *
     * @param rows of the batch, of which the first {@code count} are added
     * @param ids numbers of these rows' keys
     * @return false if there is no memory for them; nothing was added then
     */
    boolean tryUpdate(RecordBatch batch, int[] rows, int[] ids, int count);

    /** The columns of keys that are {@link #save saved}. */
    RowSchema savedSchema();

    /** All that there is of keys {@code [from, from + count)}; the caller owns it. */
    RecordBatch save(int from, int count);

    /**
     * Takes keys back, none of which is here.
     *
     * @param saved of {@link #savedSchema}; stays the caller's
     * @return false if there is no memory for them; nothing was added then
     */
    boolean tryLoad(RecordBatch saved);

    /** Hashes of the rows' keys, of a {@linkplain io.spillway.operator.key.KeyHash level}. */
    void hashes(RecordBatch rows, int level, long[] to);

    /** The same of keys that were saved. */
    void savedHashes(RecordBatch saved, int level, long[] to);

    /**
     * The next rows that come out, in order of their numbers, which are their last column.
     *
     * @param ended whether all rows have been added
     * @return owned by the caller; null if there is nothing more now, once ended never
     */
    @Nullable RecordBatch next(boolean ended);

    /**
     * Frees the keys and what is kept of them: there are none then. Rows that were to come out
     * before all had been added still do; hashes can still be asked for.
     */
    void clear();

    @Override
    void close();
}
