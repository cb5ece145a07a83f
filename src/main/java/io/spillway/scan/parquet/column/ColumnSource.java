package io.spillway.scan.parquet.column;

import io.spillway.batch.ColumnVector;
import java.util.concurrent.CompletableFuture;

/**
 * The wanted rows of one column of a row group, batch by batch. Never waits: reading stops wherever
 * a page is not there yet and goes on at the same row. Used by one thread at a time.
 *
 * <pre>
 * (read → waiting)* → read → take → …
 * </pre>
 */
public interface ColumnSource extends AutoCloseable {

    /**
     * Decodes the next batch, as far as its pages are there. It has fewer rows than asked for where
     * large values fill it, or where the form of values changes.
     *
     * @param count its rows at most, above 0; the same again until it is complete
     * @return whether it is complete; if not, ask again when {@link #waiting} is done
     * @throws io.spillway.error.SpillwayException what is wrong with the column; only good for
     *     closing then
     */
    boolean read(int count);

    /** What to wait for. */
    CompletableFuture<?> waiting();

    /** The batch that {@link #read} completed, of one row at least; the caller's. */
    ColumnVector take();

    /** Frees the batch under way and all else; reads under way are given up. */
    @Override
    void close();
}
