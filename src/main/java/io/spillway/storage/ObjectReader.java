package io.spillway.storage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.S3AFileStatus;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * Reads of an S3 object, each by a stream of its own that asks for exactly its range under the
 * pinned etag: one GET with {@code Range} and {@code If-Match}. A stream whose connection breaks
 * asks for the rest; one that nobody wants any more drops its connection rather than read on.
 */
final class ObjectReader implements RangeReader {

    private static final int CHUNK = 64 << 10;

    /** How often a read whose answer ends early asks for the rest. */
    private static final int ATTEMPTS = 3;

    private final FileStatus pinned;
    private final HadoopUri file;
    private final HadoopClients clients;
    private final RequestThreads threads;
    private volatile boolean closed;

    ObjectReader(FileStatus pinned, HadoopUri file, HadoopClients clients, RequestThreads threads) {
        this.pinned = pinned;
        this.file = file;
        this.clients = clients;
        this.threads = threads;
    }

    @Override
    public FileStatus status() {
        return pinned;
    }

    @Override
    public void readFully(long position, ByteBuffer into) {
        long missing = position + into.remaining() - pinned.size();
        if (missing > 0) {
            throw FileFailures.tooShort(pinned.uri(), pinned.size(), missing, null);
        }
        if (into.hasRemaining()) {
            HadoopFiles.call(
                    threads,
                    pinned.uri(),
                    () -> {
                        read(position, into);
                        return into;
                    });
        }
    }

    private void read(long position, ByteBuffer into) throws Exception {
        checkOpen();
        FSDataInputStream stream = open(into.remaining());
        try {
            stream.seek(position);
            byte[] chunk = new byte[Math.min(CHUNK, into.remaining())];
            int failures = 0;
            while (into.hasRemaining()) {
                checkOpen();
                // What a stream that has to ask again asks for.
                stream.setReadahead((long) into.remaining());
                int read = stream.read(chunk, 0, Math.min(chunk.length, into.remaining()));
                if (read >= 0) {
                    into.put(chunk, 0, read);
                } else if (++failures == ATTEMPTS) {
                    throw endsEarly();
                }
            }
        } finally {
            stream.setReadahead(0L);
            stream.close();
        }
    }

    /** A server may look for the range before it looks at the condition. */
    private Exception endsEarly() throws IOException {
        boolean same =
                clients.client(file).getFileStatus(file.path()) instanceof EtagSource now
                        && Objects.equals(now.getEtag(), pinned.identity());
        EOFException early = new EOFException("The answer ends before its range does");
        return same ? early : FileFailures.changed(pinned.uri(), early);
    }

    private FSDataInputStream open(int length) throws IOException {
        FileSystem client = clients.client(file);
        Path path = file.path();
        S3AFileStatus status =
                new S3AFileStatus(
                        pinned.size(),
                        pinned.modifiedMillis(),
                        path,
                        client.getDefaultBlockSize(path),
                        "",
                        pinned.identity(),
                        null);
        return FutureIO.awaitFuture(
                client.openFile(path)
                        .withFileStatus(status)
                        .opt(
                                OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY,
                                OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_RANDOM)
                        .opt("fs.s3a.readahead.range", length)
                        .build());
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("closed");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
