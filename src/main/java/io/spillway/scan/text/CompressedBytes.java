package io.spillway.scan.text;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.bytes.OpenFile;
import java.io.IOException;
import java.io.InputStream;
import net.jpountz.lz4.LZ4FrameInputStream;

/** The bytes of a compressed file, from its beginning. */
final class CompressedBytes implements TextBytes {

    /** What decompression holds beside the text: buffers, and a window of its own. */
    static final long CONTEXT_BYTES = 10L << 20;

    private static final int PART = 64 << 10;

    private final OpenFile file;
    private final InputStream text;
    private final MemoryReservation held;
    private final byte[] part = new byte[PART];
    private boolean atEnd;

    private CompressedBytes(OpenFile file, InputStream text, MemoryReservation held) {
        this.file = file;
        this.text = text;
        this.held = held;
    }

    /**
     * Starts to decompress.
     *
     * @param file taken over
     * @param pool counts what decompression holds; the caller has been admitted
     */
    static CompressedBytes open(OpenFile file, Compression compression, MemoryPool pool) {
        MemoryReservation held = null;
        try {
            held = pool.account(CONTEXT_BYTES);
            return new CompressedBytes(file, stream(file, compression), held);
        } catch (IOException e) {
            held.close();
            file.close();
            throw corrupt(file, e);
        } catch (Throwable t) {
            if (held != null) {
                held.close();
            }
            file.close();
            throw t;
        }
    }

    private static InputStream stream(OpenFile file, Compression compression) throws IOException {
        FileStream bytes = new FileStream(file, PART);
        return switch (compression) {
            case GZIP -> new GzipMembers(bytes);
            case ZSTD -> new ZstdFrames(bytes);
            case LZ4 -> new LZ4FrameInputStream(bytes);
            case NONE -> bytes;
        };
    }

    @Override
    public int read(long address, int length) {
        int done = 0;
        try {
            while (done < length && !atEnd) {
                int read = text.read(part, 0, Math.min(PART, length - done));
                if (read < 0) {
                    atEnd = true;
                } else {
                    OffHeap.write(part, 0, address + done, read);
                    done += read;
                }
            }
        } catch (IOException e) {
            throw corrupt(file, e);
        }
        return done;
    }

    @Override
    public boolean atEnd() {
        return atEnd;
    }

    private static SpillwayException corrupt(OpenFile file, IOException cause) {
        return new SpillwayException(
                        ErrorCode.FILE_CORRUPT,
                        "'%s' cannot be decompressed: %s"
                                .formatted(file.pinned().uri(), cause.getMessage()),
                        cause)
                .with(SpillwayException.FILE, file.pinned().uri());
    }

    @Override
    public void cancel() {
        file.close();
    }

    @Override
    public void close() {
        file.close();
        held.close();
        try {
            text.close();
        } catch (IOException e) {
            throw corrupt(file, e);
        }
    }
}
