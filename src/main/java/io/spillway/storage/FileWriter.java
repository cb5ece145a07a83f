package io.spillway.storage;

import java.nio.ByteBuffer;

/**
 * A file that is being written. Nobody sees it under its URI before it is committed, and then all
 * of it; a file that was there before is replaced by then. Not thread-safe. May wait for disk or
 * network.
 */
public interface FileWriter extends AutoCloseable {

    /** Bytes written so far. */
    long position();

    /**
     * Appends the buffer's remaining bytes.
     *
     * @throws io.spillway.error.SpillwayException {@code DISK_FULL}, {@code WRITE_FAILED}; the
     *     writer can only be closed then
     */
    void write(ByteBuffer bytes);

    /**
     * Makes the file durable and visible.
     *
     * @return the state it has now
     * @throws io.spillway.error.SpillwayException as {@link #write}; the file is not there then, or
     *     is the one that was there before
     */
    FileStatus commit();

    /** Gives up what is not committed, and leaves nothing behind as far as the disk allows. */
    @Override
    void close();
}
