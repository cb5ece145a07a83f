package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;

/** The rows that branches read. */
interface BranchInput extends AutoCloseable {

    /** One more reader, before any has read. */
    BatchStream reader(CallInput columns);

    /** Closes the input, whatever readers are open. */
    @Override
    void close();
}
