package io.spillway.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * One file on the disk, from before its first byte until it is deleted, with what it counts for the
 * quota. Thread-safe for deletion at any moment; else used by one thread at a time.
 */
final class SpillPath {

    private final SpillManager manager;
    private final SpillSpace space;
    private final Path path;
    private long bytes;
    private boolean deleted;

    SpillPath(SpillManager manager, SpillSpace space, Path path) {
        this.manager = manager;
        this.space = space;
        this.path = path;
    }

    Path path() {
        return path;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized boolean isDeleted() {
        return deleted;
    }

    /** Counts bytes that are to be written. */
    synchronized void reserve(long more) {
        if (deleted) {
            throw SpillFailures.closed();
        }
        if (!manager.tryReserve(more)) {
            throw SpillFailures.quota(path, manager.quota());
        }
        bytes += more;
    }

    /** Makes the file, unless it is to be deleted already. */
    synchronized Disk.OpenFile create() {
        if (deleted) {
            throw SpillFailures.closed();
        }
        try {
            return manager.disk().create(path);
        } catch (IOException e) {
            throw SpillFailures.write(path, e);
        }
    }

    Disk.OpenFile open() {
        if (isDeleted()) {
            throw SpillFailures.closed();
        }
        try {
            return manager.disk().open(path);
        } catch (IOException e) {
            throw SpillFailures.read(path, e);
        }
    }

    /** Writes all remaining bytes. */
    void write(Disk.OpenFile file, ByteBuffer block) {
        reserve(block.remaining());
        try {
            while (block.hasRemaining()) {
                if (file.write(block) <= 0) {
                    throw new IOException("The disk takes no more bytes");
                }
            }
        } catch (IOException e) {
            throw SpillFailures.write(path, e);
        }
    }

    /** Fills the buffer's remaining bytes. */
    void read(Disk.OpenFile file, ByteBuffer block, long position) {
        long at = position;
        try {
            while (block.hasRemaining()) {
                int read = file.read(block, at);
                if (read <= 0) {
                    throw new IOException("The file ends at " + at);
                }
                at += read;
            }
        } catch (IOException e) {
            throw SpillFailures.read(path, e);
        }
    }

    /** Deletes the file; again does nothing. */
    void delete() {
        long counted;
        synchronized (this) {
            if (deleted) {
                return;
            }
            deleted = true;
            counted = bytes;
        }
        space.remove(this);
        manager.delete(path, counted);
    }
}
