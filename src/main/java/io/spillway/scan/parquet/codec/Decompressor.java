package io.spillway.scan.parquet.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.bytes.Place;
import java.io.IOException;
import org.apache.parquet.format.CompressionCodec;
import org.xerial.snappy.Snappy;

/**
 * Decompresses pages from memory to memory. Keeps its native context, so one serves all columns of
 * a stream; used by one thread at a time.
 *
 * <p>No more than the declared size is ever written, and before memory for it is set aside {@link
 * #isPlausible} says whether the compressed bytes can give so much.
 */
public abstract sealed class Decompressor implements AutoCloseable
        permits Decompressor.Stored,
                Decompressor.SnappyPages,
                Decompressor.ZstdPages,
                Lz4Decompressor,
                OldLz4Decompressor,
                GzipDecompressor {

    /** Bytes of native memory that a context takes at most. */
    public static final long CONTEXT_BYTES = 160 << 10;

    /**
     * A decompressor for the codec.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_SUPPORTED}
     */
    public static Decompressor of(CompressionCodec codec, Place place) {
        return switch (codec) {
            case UNCOMPRESSED -> new Stored();
            case SNAPPY -> new SnappyPages();
            case ZSTD -> new ZstdPages();
            case GZIP -> new GzipDecompressor();
            case LZ4_RAW -> new Lz4Decompressor();
            case LZ4 -> new OldLz4Decompressor();
            case LZO, BROTLI -> throw unsupported(codec, place);
        };
    }

    /**
     * Says early whether there is a decompressor for the codec.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_SUPPORTED} if not
     */
    public static void check(CompressionCodec codec, Place place) {
        switch (codec) {
            case UNCOMPRESSED, SNAPPY, ZSTD, GZIP, LZ4_RAW, LZ4 -> {}
            case LZO, BROTLI -> throw unsupported(codec, place);
        }
    }

    private static SpillwayException unsupported(CompressionCodec codec, Place place) {
        return place.notSupported("Compression " + codec);
    }

    /** Whether {@code compressed} bytes at an address can become {@code size} bytes. */
    public abstract boolean isPlausible(long from, int compressed, int size);

    /**
     * Decompresses; both sizes are above 0.
     *
     * @return the number of bytes written, never more than {@code size}
     * @throws IOException if the bytes are not what the codec makes
     * @throws RuntimeException likewise, as the libraries have it
     */
    public abstract long decompress(long from, int compressed, long to, int size)
            throws IOException;

    /**
     * Decompresses a beginning of what {@link #decompress} would write, where the codec can do that
     * without the rest. What is written behind it, up to {@code size}, is undefined.
     *
     * @param least bytes that are asked for, no more than {@code size}
     * @return how many bytes are there; fewer than asked for, whatever the reason, tell that only
     *     decompressing the whole can give them, or say what is wrong
     */
    public int decompressBeginning(long from, int compressed, long to, int size, int least) {
        return 0;
    }

    /** Whether pages can be used where they are. */
    public boolean isStored() {
        return false;
    }

    @Override
    public void close() {}

    static final class Stored extends Decompressor {

        @Override
        public boolean isPlausible(long from, int compressed, int size) {
            return compressed == size;
        }

        @Override
        public long decompress(long from, int compressed, long to, int size) {
            OffHeap.copy(from, to, size);
            return size;
        }

        @Override
        public boolean isStored() {
            return true;
        }
    }

    /** Snappy writes as much as its preamble says, which is therefore compared first. */
    static final class SnappyPages extends Decompressor {

        /** A copy of 64 bytes takes 3. */
        private static final long MAX_RATIO = 22;

        @Override
        public boolean isPlausible(long from, int compressed, int size) {
            try {
                return size <= compressed * MAX_RATIO
                        && Snappy.uncompressedLength(from, compressed) == size;
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        public long decompress(long from, int compressed, long to, int size) throws IOException {
            return Snappy.rawUncompress(from, compressed, to);
        }
    }

    /** One frame or several, of which the first may tell its size. */
    static final class ZstdPages extends Decompressor {

        /** A block of 128 KiB takes 4 bytes at least. */
        private static final long MAX_RATIO = (128 << 10) / 4;

        private final ZstdDecompressCtx context = new ZstdDecompressCtx();

        @Override
        public boolean isPlausible(long from, int compressed, int size) {
            long told =
                    Zstd.getDirectByteBufferFrameContentSize(
                            OffHeap.view(from, compressed), 0, compressed);
            return told <= size && size <= compressed * MAX_RATIO;
        }

        @Override
        public long decompress(long from, int compressed, long to, int size) {
            return context.decompressDirectByteBuffer(
                    OffHeap.view(to, size), 0, size, OffHeap.view(from, compressed), 0, compressed);
        }

        @Override
        public int decompressBeginning(long from, int compressed, long to, int size, int least) {
            try (ZstdBeginning beginning = ZstdBeginning.open(from, compressed, size, least)) {
                return beginning == null
                        ? 0
                        : (int) decompress(beginning.address(), beginning.length(), to, size);
            } catch (ZstdException e) {
                return 0; // decompressing the whole will say it
            }
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
