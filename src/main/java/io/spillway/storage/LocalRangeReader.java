package io.spillway.storage;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Positional reads over one channel, which any number of threads may share. */
final class LocalRangeReader implements RangeReader {

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
        long at = position;
        try {
            while (into.hasRemaining()) {
                int n = channel.read(into, at);
                if (n < 0) {
                    throw new SpillwayException(
                                    ErrorCode.FILE_CORRUPT,
                                    "'%s' ends at byte %,d, %,d bytes too early"
                                            .formatted(uri, at, into.remaining()))
                            .with(SpillwayException.FILE, uri);
                }
                at += n;
            }
        } catch (IOException e) {
            throw LocalFiles.failed(uri, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw LocalFiles.failed(uri, e);
        }
    }
}
