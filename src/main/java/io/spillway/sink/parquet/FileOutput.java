package io.spillway.sink.parquet;

import io.spillway.storage.FileWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file as parquet-java writes it. What it writes goes to the file in larger portions; its last
 * part is {@linkplain #keepTail kept back}, for its maker to change. Closing it closes nothing: the
 * file belongs to somebody else.
 */
final class FileOutput extends PositionOutputStream implements OutputFile {

    private static final int BUFFER = 256 << 10;

    private final FileWriter file;
    private final byte[] buffer = new byte[BUFFER];
    private int buffered;
    private long position;
    private @Nullable ByteArrayOutputStream tail;

    FileOutput(FileWriter file) {
        this.file = file;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        position += length;
        ByteArrayOutputStream kept = tail;
        if (kept != null) {
            kept.write(bytes, offset, length);
            return;
        }
        if (length > buffer.length - buffered) {
            flush();
        }
        if (length > buffer.length) {
            file.write(ByteBuffer.wrap(bytes, offset, length));
            return;
        }
        System.arraycopy(bytes, offset, buffer, buffered, length);
        buffered += length;
    }

    @Override
    public void flush() {
        if (tail != null) {
            return;
        }
        file.write(ByteBuffer.wrap(buffer, 0, buffered));
        buffered = 0;
    }

    /** From now on everything is kept, in place of being written. */
    void keepTail() {
        flush();
        tail = new ByteArrayOutputStream();
    }

    /** Writes this in place of what was kept. */
    void end(byte[] bytes) {
        file.write(ByteBuffer.wrap(bytes));
    }

    /** What was kept. */
    byte[] tail() {
        return Objects.requireNonNull(tail).toByteArray();
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) {
        return this;
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
        return this;
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return 0;
    }

    /** The writer closes what it was given; the file is ended by whoever opened it. */
    @Override
    public void close() {}
}
