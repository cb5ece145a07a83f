package io.spillway.spool;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.spill.BlockDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A result that is complete: rows in segments, each readable from any row on, by any number of
 * readers. Immutable but for the one thing that may befall it: its files may turn out to be lost or
 * damaged. Thread-safe.
 */
public final class Spool {

    private final SpoolLease builder;
    private final RowSchema schema;
    private final SpoolManifest manifest;
    private final SpoolFolder folder;
    private final List<SegmentFile> segments = new ArrayList<>();
    private volatile boolean lost;

    Spool(SpoolLease builder, RowSchema schema, SpoolManifest manifest, SpoolFolder folder) {
        this.builder = builder;
        this.schema = schema;
        this.manifest = manifest;
        this.folder = folder;
        for (int i = 0; i < manifest.segments().size(); i++) {
            segments.add(
                    new SegmentFile(
                            folder.files(),
                            folder.segment(builder, i),
                            manifest.segments().get(i),
                            schema));
        }
    }

    SpoolLease builder() {
        return builder;
    }

    public RowSchema schema() {
        return schema;
    }

    /** Number of segments. */
    public int segments() {
        return segments.size();
    }

    /** Rows of a segment. */
    public long rows(int segment) {
        return manifest.segments().get(segment).rows();
    }

    /** Has a reader found that something of it is lost or damaged? */
    public boolean isLost() {
        return lost;
    }

    /**
     * Bytes of memory that a stream over a segment holds at most.
     *
     * @param pieceBytes as it will be opened with
     */
    public long bytesAhead(int segment, long pieceBytes) {
        return SpoolStream.bytesAhead(
                manifest.segments().get(segment), folder.files().profile(), pieceBytes);
    }

    /**
     * Some rows. Nothing runs before the first pull.
     *
     * @param pieceBytes bytes that are read at a time, at most; if that is less than a block, a
     *     block is
     * @param waiting runs what waits for the file system
     * @param bytesRead told how many bytes came from files
     * @return a stream that fails with {@code READ_FAILED} if the file system does, and also if the
     *     segment is lost or damaged; then the spool {@linkplain #isLost is lost}
     */
    public BatchStream open(
            SpoolRange range,
            long pieceBytes,
            BufferAllocator allocator,
            Executor waiting,
            LongConsumer bytesRead) {
        return new SpoolStream(
                segments.get(range.segment()),
                new BlockDecoder(schema, manifest.compression(), range.columns()),
                range,
                pieceBytes,
                allocator,
                waiting,
                bytesRead,
                (failure, damage) -> failed(range.segment(), failure, damage));
    }

    private SpillwayException failed(int segment, SpillwayException failure, boolean damage) {
        if (!damage) {
            return SpoolFailures.read(segment, failure);
        }
        if (!lost) {
            lost = true;
            SpoolManager.LOG.warn(
                    "a spool of job {} is lost or damaged: {}",
                    builder.id().job(),
                    failure.getMessage());
        }
        return SpoolFailures.lost(segment, failure);
    }
}
