package io.spillway.storage;

import java.nio.ByteBuffer;

/**
 * An open file. Thread-safe; reads may run side by side. Closing while a read is under way makes
 * that read fail.
 */
public interface RangeReader extends AutoCloseable {

    /** Size and times of the file as it is now, by the open handle. */
    FileStatus status();

    /**
     * Fills the buffer's remaining bytes from a position.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the file ends before,
     *     {@code READ_FAILED} on a fault
     */
    void readFully(long position, ByteBuffer into);

    @Override
    void close();
}
