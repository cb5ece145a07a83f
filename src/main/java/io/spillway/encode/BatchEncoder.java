package io.spillway.encode;

import io.spillway.batch.RecordBatch;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Turns the batches of one schema into bytes. One thread at a time. What it derives from
 * dictionaries is kept from batch to batch, so one encoder should see the batches of one partition.
 *
 * <p>The bytes are a function of the rows, their numbers and the format alone: how rows were cut
 * into batches and chunks never shows. Only Arrow, where each batch makes a message of its own,
 * shows where they were cut; nor does it show anything else.
 */
public interface BatchEncoder extends AutoCloseable {

    /**
     * Encodes rows of a batch, and stops early if the text grows large: the chunk says how many
     * rows it holds, and the caller goes on from there. Values are read from the batch, which stays
     * the caller's.
     *
     * @param firstRow row number, in the job, of the batch's first row
     * @param from first row of the batch to encode
     * @param to row after the last
     * @param allocator for the chunk's buffer
     * @return at least one row if there is any, in a buffer that is no longer than needed plus a
     *     little slack
     * @throws io.spillway.error.SpillwayException {@code INVALID_TEXT} for text that is not UTF-8,
     *     naming column and row of the batch
     */
    EncodedChunk encode(
            RecordBatch batch, long firstRow, int from, int to, BufferAllocator allocator);

    @Override
    void close();
}
