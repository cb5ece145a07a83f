package io.spillway.delivery.capture;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.storage.Existing;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.FileWriter;
import io.spillway.storage.RangeReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What a delivery has captured so far, in files of a hidden folder. A part has the values of some
 * batches, is written once, and is durable before anybody stores that it is there; one that nobody
 * has stored is never read. Thread-safe. Waits for the file system.
 *
 * <pre>
 *   part  = batch…
 *   batch = for each column (length: int32, JSON array: bytes), CRC-32C of all that: int32
 * </pre>
 */
public final class CaptureParts {

    private final FileSystemAccess files;
    private final String folder;

    /**
     * @param folder URI, without a slash at its end, of a folder that is this delivery's alone; it
     *     need not exist; its name begins with a dot, so that no scan finds it
     */
    public CaptureParts(FileSystemAccess files, String folder) {
        this.files = files;
        this.folder = folder;
    }

    /**
     * Makes what was captured for some batches durable, as one part.
     *
     * @param name of the part, of letters, digits and {@code -}; none has had it before
     * @return where each of them is, in the order given: to be stored with the batches
     * @throws SpillwayException {@code DISK_FULL}, {@code WRITE_FAILED}, {@code FILE_ACCESS_DENIED}
     */
    public List<CapturePlace> write(String name, List<Captured> batches) {
        List<CapturePlace> places = new ArrayList<>();
        try (FileWriter writer = files.create(uri(name), name, Existing.KEEP)) {
            for (Captured batch : batches) {
                long offset = writer.position();
                ByteBuffer bytes = bytes(batch);
                int length = bytes.remaining();
                writer.write(bytes);
                places.add(
                        new CapturePlace(
                                batch.firstRow(),
                                batch.rows(),
                                name,
                                offset,
                                length,
                                batch.columns().stream().map(Captured.Found::kind).toList()));
            }
            writer.commit();
        }
        return places;
    }

    private static ByteBuffer bytes(Captured batch) {
        long length = batch.bytes() + Integer.BYTES * (batch.columns().size() + 1L);
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
        for (Captured.Found found : batch.columns()) {
            byte[] json = found.json().utf8();
            bytes.putInt(json.length).put(json);
        }
        bytes.putInt(checksum(bytes.duplicate().flip()));
        return bytes.flip();
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    /**
     * The arrays of a batch, one for each column.
     *
     * @throws SpillwayException {@code FILE_NOT_FOUND}, {@code FILE_CORRUPT}, {@code READ_FAILED}
     */
    List<Captured.Json> read(CapturePlace place) {
        String uri = uri(place.part());
        ByteBuffer bytes = ByteBuffer.allocate(place.length());
        try (RangeReader reader = files.open(files.status(uri))) {
            reader.readFully(place.offset(), bytes);
        }
        bytes.flip();
        int end = place.length() - Integer.BYTES;
        if (end < 0 || checksum(bytes.slice(0, end)) != bytes.getInt(end)) {
            throw corrupt(uri);
        }
        List<Captured.Json> columns = new ArrayList<>();
        for (int i = 0; i < place.kinds().size(); i++) {
            int length = bytes.getInt();
            if (length < 0 || length > end - bytes.position()) {
                throw corrupt(uri);
            }
            byte[] json = new byte[length];
            bytes.get(json);
            columns.add(new Captured.Json(json));
        }
        return columns;
    }

    private static SpillwayException corrupt(String uri) {
        return new SpillwayException(
                        ErrorCode.FILE_CORRUPT, "Captured values are not as they were written")
                .with(SpillwayException.FILE, uri);
    }

    /**
     * Deletes all parts, once they are of no use any more; nothing if there are none.
     *
     * @throws SpillwayException {@code FILE_ACCESS_DENIED}, {@code WRITE_FAILED}
     */
    public void delete() {
        files.delete(folder);
    }

    private String uri(String name) {
        return folder + "/" + name + ".part";
    }
}
