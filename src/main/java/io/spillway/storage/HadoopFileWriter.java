package io.spillway.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file of one of Hadoop's file systems. Where a stream can be aborted (an object store,
 * which shows an object when its upload is complete) it is written under its own name; elsewhere
 * under a hidden one that is changed at the end.
 */
final class HadoopFileWriter implements FileWriter {

    private static final int BUFFER = 64 << 10;

    private final HadoopFiles files;
    private final FileSystem client;
    private final String uri;
    private final Path target;
    private final @Nullable Path hidden;
    private final FSDataOutputStream stream;
    private final Existing existing;
    private byte[] buffer = new byte[BUFFER];
    private long position;
    private boolean ended;

    private HadoopFileWriter(
            HadoopFiles files,
            FileSystem client,
            String uri,
            Path target,
            @Nullable Path hidden,
            FSDataOutputStream stream,
            Existing existing) {
        this.files = files;
        this.existing = existing;
        this.client = client;
        this.uri = uri;
        this.target = target;
        this.hidden = hidden;
        this.stream = stream;
    }

    /** A writer; makes the folders that are missing. Called on a request thread. */
    static HadoopFileWriter open(
            HadoopFiles files,
            FileSystem client,
            String uri,
            Path target,
            String tag,
            Existing existing)
            throws IOException {
        if (HadoopFiles.isUploaded(client, target)) {
            return new HadoopFileWriter(
                    files, client, uri, target, null, client.create(target, true), existing);
        }
        Path hidden = new Path(target.getParent(), HiddenNames.of(target.getName(), tag));
        return new HadoopFileWriter(
                files, client, uri, target, hidden, client.create(hidden, false), existing);
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void write(ByteBuffer bytes) {
        files.write(
                uri,
                () -> {
                    position += bytes.remaining();
                    while (bytes.hasRemaining()) {
                        int length = Math.min(bytes.remaining(), buffer.length);
                        bytes.get(buffer, 0, length);
                        stream.write(buffer, 0, length);
                    }
                    return position;
                });
    }

    @Override
    public FileStatus commit() {
        files.write(
                uri,
                () -> {
                    if (hidden == null
                            && existing == Existing.KEEP
                            && HadoopFiles.look(client, target) != null) {
                        throw WriteFailures.exists(uri);
                    }
                    stream.close();
                    ended = true;
                    if (hidden != null) {
                        rename(hidden);
                    }
                    return position;
                });
        return files.status(uri);
    }

    private void rename(Path from) throws IOException {
        if (!client.rename(from, target)) {
            if (existing == Existing.KEEP && HadoopFiles.look(client, target) != null) {
                client.delete(from, false);
                throw WriteFailures.exists(uri);
            }
            // It does not replace: an older file has to go first.
            client.delete(target, false);
            if (!client.rename(from, target)) {
                client.delete(from, false);
                throw new IOException("could not be renamed");
            }
        }
    }

    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        files.write(
                uri,
                () -> {
                    if (hidden == null) {
                        stream.abort();
                    } else {
                        stream.close();
                        client.delete(hidden, false);
                    }
                    return position;
                });
    }
}
