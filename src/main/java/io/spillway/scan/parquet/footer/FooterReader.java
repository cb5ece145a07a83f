package io.spillway.scan.parquet.footer;

import io.spillway.error.SpillwayException;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.storage.FileStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the footer at the end of a file, and believes its length only once it is checked against
 * the file's.
 *
 * <pre>
 * "PAR1" | column chunks … | footer (Thrift) | length of the footer, 4 bytes | "PAR1"
 * </pre>
 *
 * @see <a href="https://github.com/apache/parquet-format">Parquet format</a>
 */
public final class FooterReader {

    private static final int MAGIC = magic("PAR1");
    private static final int ENCRYPTED_MAGIC = magic("PARE");
    private static final int MAGIC_BYTES = 4;
    private static final int TAIL_BYTES = 8;

    /** What one read at the end of a file gets; most footers fit. */
    private static final int FIRST_READ = 64 << 10;

    /** A larger footer could not be parsed in a small heap. */
    private static final int MAX_FOOTER = 64 << 20;

    private final FileStatus file;
    private final Place place;
    private @Nullable ByteBuffer whole;

    private FooterReader(FileStatus file) {
        this.file = file;
        this.place = Place.of(file.uri());
    }

    /**
     * What was read.
     *
     * @param whole all bytes of the file, if it is so small that they came with the footer
     */
    public record Read(Footer footer, @Nullable ByteBuffer whole) {

        /** Bytes of heap that this is reckoned to take. */
        public long weight() {
            return footer.weight() + (whole == null ? 0 : whole.capacity());
        }
    }

    /**
     * Reads the footer of an open file, for most files by one read; waits.
     *
     * @throws SpillwayException {@code FILE_CORRUPT}, {@code FILE_NOT_SUPPORTED}, {@code
     *     SCHEMA_MISMATCH} if two columns have one name, {@code READ_FAILED}
     */
    public static Read read(OpenFile file) {
        FooterReader reader = new FooterReader(file.pinned());
        ByteBuffer bytes = reader.bytes(file);
        long dataEnd = file.pinned().size() - TAIL_BYTES - bytes.remaining();
        return new Read(new FooterParser(reader.place, dataEnd).parse(bytes), reader.whole);
    }

    /** The Thrift struct, without length and magic. */
    private ByteBuffer bytes(OpenFile reader) {
        if (file.size() < MAGIC_BYTES + TAIL_BYTES) {
            throw place.corrupt(
                    file.size() == 0
                            ? "There is nothing"
                            : "There are too few bytes for a Parquet file");
        }
        int first = (int) Math.min(FIRST_READ, file.size());
        ByteBuffer end = read(reader, file.size() - first, first);
        whole = first == file.size() ? end.asReadOnlyBuffer() : null;
        int magic = end.getInt(first - MAGIC_BYTES);
        if (magic == ENCRYPTED_MAGIC) {
            throw place.notSupported("An encrypted footer");
        }
        if (magic != MAGIC) {
            throw place.corrupt(
                    "There is no Parquet magic at the end (the file is cut or no Parquet file)");
        }
        long length = end.getInt(first - TAIL_BYTES) & 0xFFFFFFFFL;
        if (length > file.size() - MAGIC_BYTES - TAIL_BYTES) {
            throw place.corrupt(
                    "A footer of %,d bytes cannot be in a file of %,d bytes: it is damaged"
                            .formatted(length, file.size()));
        }
        if (length > MAX_FOOTER) {
            throw place.notSupported(
                    "A footer of %,d bytes, more than %,d,".formatted(length, MAX_FOOTER));
        }
        if (length + TAIL_BYTES <= first) {
            return end.slice(first - TAIL_BYTES - (int) length, (int) length);
        }
        return read(reader, file.size() - TAIL_BYTES - length, (int) length);
    }

    private ByteBuffer read(OpenFile reader, long position, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        try {
            reader.readFully(position, bytes);
        } catch (SpillwayException e) {
            throw place.with(e);
        }
        return bytes.flip();
    }

    private static int magic(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
    }
}
