package io.spillway.scan;

import io.spillway.batch.RowSchema;

/**
 * What the values of files tell of the types of their columns, for formats that do not declare
 * types. Immutable.
 *
 * <p>What is known of several files is the same in whatever groups they are put together; only the
 * order of columns is that in which they appear.
 */
public interface InferredColumns {

    /**
     * What is known of these files and others of the same format, behind them.
     *
     * @param behind made by the same format with the same options
     */
    InferredColumns and(InferredColumns behind);

    /** The columns, each of the narrowest type that all its values can be read as. */
    RowSchema schema();
}
