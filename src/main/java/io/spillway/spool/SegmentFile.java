package io.spillway.spool;

import io.spillway.batch.RowSchema;
import io.spillway.spill.BlockFormat;
import io.spillway.spill.BlockIndex;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.RangeReader;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The file of a segment, which keeps in memory where its blocks are. Thread-safe. */
final class SegmentFile {

    /** The index of a usual segment fits in it. */
    private static final int TAIL_BYTES = 16 << 10;

    private final FileSystemAccess files;
    private final String uri;
    private final SpoolManifest.Segment segment;
    private final RowSchema schema;

    private volatile @Nullable BlockIndex index;

    SegmentFile(
            FileSystemAccess files, String uri, SpoolManifest.Segment segment, RowSchema schema) {
        this.files = files;
        this.uri = uri;
        this.segment = segment;
        this.schema = schema;
    }

    /** The file, open. */
    record Opened(RangeReader reader, BlockIndex index) implements AutoCloseable {

        @Override
        public void close() {
            reader.close();
        }
    }

    FileSystemAccess files() {
        return files;
    }

    /**
     * Opens the file; the caller closes it. Waits for the file system.
     *
     * @param bytesRead as of {@link Spool#open}
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the file is not as it was
     *     written; what the file system throws
     */
    Opened open(LongConsumer bytesRead) {
        FileStatus status = files.status(uri);
        if (status.size() != segment.bytes()) {
            throw SpoolFailures.damaged();
        }
        RangeReader reader = files.open(status);
        try {
            BlockIndex known = index;
            if (known == null) {
                known = readIndex(reader, bytesRead);
                index = known;
            }
            return new Opened(reader, known);
        } catch (Throwable t) {
            reader.close();
            throw t;
        }
    }

    private BlockIndex readIndex(RangeReader reader, LongConsumer bytesRead) {
        ByteBuffer tail = read(reader, Math.min(segment.bytes(), TAIL_BYTES), bytesRead);
        if (tail.limit() < SegmentIndex.TRAILER) {
            throw SpoolFailures.damaged();
        }
        long length = SegmentIndex.length(last(tail, SegmentIndex.TRAILER));
        if (length < 0 || length > segment.bytes()) {
            throw SpoolFailures.damaged();
        }
        ByteBuffer bytes =
                length <= tail.limit() ? last(tail, (int) length) : read(reader, length, bytesRead);
        BlockIndex read = SegmentIndex.read(bytes, BlockFormat.schema(schema).length);
        if (read == null
                || read.rows() != segment.rows()
                || read.end() != segment.bytes() - length) {
            throw SpoolFailures.damaged();
        }
        return read;
    }

    private ByteBuffer read(RangeReader reader, long length, LongConsumer bytesRead) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
        reader.readFully(segment.bytes() - length, bytes);
        bytesRead.accept(length);
        return bytes.flip();
    }

    private static ByteBuffer last(ByteBuffer bytes, int length) {
        return bytes.slice(bytes.limit() - length, length);
    }
}
