package io.spillway.storage;

import java.nio.ByteBuffer;

/**
 * An open file. Thread-safe; reads may run side by side. Closing while a read is under way makes
 * that read fail.
 */
public interface RangeReader extends AutoCloseable {

    /**
     * The state of the file at its path now; or the pinned state, at no cost, where every read is
     * made on the condition that the file is still in it.
     */
    FileStatus status();

    /**
     * Fills the buffer's remaining bytes from a position.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the file ends before,
     *     {@code SOURCE_CHANGED} or {@code FILE_NOT_FOUND} if the read tells that the file is not
     *     in its pinned state any more, {@code READ_FAILED} on a fault
     */
    void readFully(long position, ByteBuffer into);

    @Override
    void close();
}
