package io.spillway.spool;

import io.spillway.batch.RowSchema;
import io.spillway.batch.codec.Compression;
import io.spillway.error.SpillwayException;
import io.spillway.spill.BlockFormat;
import io.spillway.spill.BlockIndex;
import io.spillway.spill.EncodedBlock;
import io.spillway.storage.FileWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the segments of a spool: each a schema, blocks, and the {@linkplain SegmentIndex index} of
 * these. Where segments end depends on the blocks alone. Waits for the file system; not
 * thread-safe.
 */
final class SpoolWriter implements AutoCloseable {

    private final SpoolFolder folder;
    private final SpoolLease lease;
    private final byte[] schema;
    private final Compression compression;
    private final long segmentBytes;
    private final List<SpoolManifest.Segment> segments = new ArrayList<>();
    private long bytes;

    // Of the segment that is being written.
    private @Nullable FileWriter file;
    private BlockIndex index = new BlockIndex(0);
    private int blockBytes;
    private long rawBytes;

    /**
     * Writes nothing yet.
     *
     * @param segmentBytes bytes after which a segment ends
     */
    SpoolWriter(
            SpoolFolder folder,
            SpoolLease lease,
            RowSchema schema,
            Compression compression,
            long segmentBytes) {
        this.folder = folder;
        this.lease = lease;
        this.schema = BlockFormat.schema(schema);
        this.compression = compression;
        this.segmentBytes = segmentBytes;
    }

    /** Bytes written so far. */
    long bytes() {
        return bytes;
    }

    /**
     * Appends a block, which stays the caller's.
     *
     * @return whether a segment ended with it
     * @throws SpillwayException {@code DISK_FULL}, {@code WRITE_FAILED}; the writer can only be
     *     closed then
     */
    boolean write(EncodedBlock block) {
        if (block.rows() == 0) {
            return false;
        }
        try {
            FileWriter open = file;
            if (open == null) {
                open = begin();
            }
            append(open, block.bytes());
            index.add(block.rows(), block.length());
            blockBytes = Math.max(blockBytes, block.length());
            rawBytes = Math.max(rawBytes, block.rawBytes());
            if (index.end() < segmentBytes) {
                return false;
            }
            end(open);
            return true;
        } catch (SpillwayException e) {
            throw SpoolFailures.write(segments.size(), e);
        }
    }

    private FileWriter begin() {
        FileWriter open = folder.files().create(folder.segment(lease, segments.size()));
        file = open;
        index = new BlockIndex(schema.length);
        blockBytes = 0;
        rawBytes = 0;
        append(open, ByteBuffer.wrap(schema));
        return open;
    }

    private void append(FileWriter open, ByteBuffer more) {
        bytes += more.remaining();
        open.write(more);
    }

    private void end(FileWriter open) {
        append(open, SegmentIndex.write(index));
        long length = open.position();
        open.commit();
        open.close();
        file = null;
        segments.add(new SpoolManifest.Segment(index.rows(), length, blockBytes, rawBytes));
    }

    /**
     * Ends the last segment.
     *
     * @throws SpillwayException as {@link #write}
     */
    SpoolManifest finish() {
        FileWriter open = file;
        if (open != null) {
            try {
                end(open);
            } catch (SpillwayException e) {
                throw SpoolFailures.write(segments.size(), e);
            }
        }
        return new SpoolManifest(SpoolManifest.VERSION, compression, segments);
    }

    /** Deletes what was written. */
    @Override
    public void close() {
        FileWriter open = file;
        file = null;
        try {
            if (open != null) {
                open.close();
            }
        } finally {
            folder.delete(lease);
        }
    }
}
