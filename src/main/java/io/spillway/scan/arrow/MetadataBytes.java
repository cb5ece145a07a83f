package io.spillway.scan.arrow;

import io.spillway.error.SpillwayException;
import io.spillway.scan.bytes.OpenFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of a file, which is mostly small and read in order: some bytes behind what is asked for
 * are read with it. Used by one thread at a time; waits.
 */
final class MetadataBytes {

    /** More could not be parsed in a small heap. */
    static final int MOST = 64 << 20;

    /** Bytes of a read, unless more are asked for. */
    private static final int READ = 16 << 10;

    private final OpenFile file;
    private final Place place;
    private final long size;
    private @Nullable ByteBuffer chunk;
    private long chunkAt;

    /** Of an open file, which stays its owner's. */
    MetadataBytes(OpenFile file) {
        this.file = file;
        this.place = Place.of(file.pinned().uri());
        this.size = file.pinned().size();
    }

    long size() {
        return size;
    }

    Place place() {
        return place;
    }

    /**
     * Bytes of the file, little-endian, from index 0 on.
     *
     * @throws SpillwayException {@code FILE_CORRUPT} if the file has not so many
     */
    ByteBuffer read(long position, int length) {
        if (position < 0 || length < 0 || position > size - length) {
            throw place.corrupt(
                    "There are no bytes %,d to %,d: the file is cut or damaged,"
                            .formatted(position, position + Math.max(0, length)));
        }
        if (length > MOST) {
            throw place.notSupported(
                    "Metadata of %,d bytes, more than %,d,".formatted(length, MOST));
        }
        ByteBuffer there = chunk;
        if (there == null || position < chunkAt || position + length > chunkAt + there.capacity()) {
            there = ByteBuffer.allocate((int) Math.min(Math.max(length, READ), size - position));
            try {
                file.readFully(position, there);
            } catch (SpillwayException e) {
                throw place.with(e);
            }
            chunk = there;
            chunkAt = position;
        }
        return there.slice((int) (position - chunkAt), length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
