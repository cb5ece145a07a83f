package io.spillway.storage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/** Positional reads over one stream, which any number of threads may share. */
final class HadoopReader implements RangeReader {

    private static final int CHUNK = 128 << 10;

    private final String uri;
    private final FSDataInputStream stream;
    private final HadoopFiles files;

    /** Takes over the stream. */
    HadoopReader(String uri, FSDataInputStream stream, HadoopFiles files) {
        this.uri = uri;
        this.stream = stream;
        this.files = files;
    }

    @Override
    public FileStatus status() {
        return files.status(uri);
    }

    @Override
    public void readFully(long position, ByteBuffer into) {
        files.call(
                uri,
                () -> {
                    int start = into.position();
                    try {
                        read(position, into);
                    } catch (EOFException e) {
                        long end = position + into.position() - start;
                        throw FileFailures.tooShort(uri, end, into.remaining(), e);
                    }
                    return into;
                });
    }

    private void read(long position, ByteBuffer into) throws IOException {
        if (stream.hasCapability(StreamCapabilities.PREADBYTEBUFFER)
                && stream.getWrappedStream() instanceof ByteBufferPositionedReadable direct) {
            direct.readFully(position, into);
            return;
        }
        byte[] chunk = new byte[Math.min(CHUNK, into.remaining())];
        long at = position;
        while (into.hasRemaining()) {
            int length = Math.min(chunk.length, into.remaining());
            stream.readFully(at, chunk, 0, length);
            into.put(chunk, 0, length);
            at += length;
        }
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw HadoopFailures.of(uri, e);
        }
    }
}
