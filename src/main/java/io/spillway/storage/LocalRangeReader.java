package io.spillway.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Positional reads over one channel, which any number of threads may share. */
final class LocalRangeReader implements RangeReader {

    /** Bytes of one system call: after how many a read notices that it has been closed. */
    private static final int SLICE = 256 << 10;

    private final String uri;
    private final Path path;
    private final FileChannel channel;

    /** Takes over the channel. */
    LocalRangeReader(String uri, Path path, FileChannel channel) {
        this.uri = uri;
        this.path = path;
        this.channel = channel;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A path that has been replaced tells the identity of the new file, which is what a reader
     * that pinned the old one has to know.
     */
    @Override
    public FileStatus status() {
        return LocalFiles.status(uri, path);
    }

    @Override
    public void readFully(long position, ByteBuffer into) {
        int limit = into.limit();
        long at = position;
        try {
            while (into.position() < limit) {
                into.limit(Math.min(limit, into.position() + SLICE));
                int n = channel.read(into, at);
                into.limit(limit);
                if (n < 0) {
                    throw FileFailures.tooShort(uri, at, into.remaining(), null);
                }
                at += n;
            }
        } catch (IOException e) {
            throw FileFailures.of(uri, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileFailures.of(uri, e);
        }
    }
}
