package io.spillway.scan.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.spillway.batch.OffHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.parquet.format.CompressionCodec;
import org.xerial.snappy.Snappy;

/**
 * Decompresses pages from memory to memory. Keeps its native context, so one serves all columns of
 * a stream; used by one thread at a time.
 *
 * <p>No more than the declared size is ever written, and before memory for it is set aside {@link
 * #isPlausible} says whether the compressed bytes can give so much.
 */
abstract sealed class Decompressor implements AutoCloseable {

    /** Bytes of native memory that a context takes at most. */
    static final long CONTEXT_BYTES = 160 << 10;

    private Decompressor() {}

    /**
     * A decompressor for the codec.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_SUPPORTED}
     */
    static Decompressor of(CompressionCodec codec, Place place) {
        return switch (codec) {
            case UNCOMPRESSED -> new Stored();
            case SNAPPY -> new SnappyPages();
            case ZSTD -> new ZstdPages();
            case GZIP -> new GzipPages();
            case LZ4_RAW -> new Lz4Pages();
            case LZ4, LZO, BROTLI -> throw place.notSupported("Compression " + codec);
        };
    }

    /** Whether {@code compressed} bytes at an address can become {@code size} bytes. */
    abstract boolean isPlausible(long from, int compressed, int size);

    /**
     * Decompresses; both sizes are above 0.
     *
     * @return the number of bytes written, never more than {@code size}
     * @throws IOException if the bytes are not what the codec makes
     * @throws RuntimeException likewise, as the libraries have it
     */
    abstract long decompress(long from, int compressed, long to, int size) throws IOException;

    /** Whether pages can be used where they are. */
    boolean isStored() {
        return false;
    }

    @Override
    public void close() {}

    private static final class Stored extends Decompressor {

        @Override
        boolean isPlausible(long from, int compressed, int size) {
            return compressed == size;
        }

        @Override
        long decompress(long from, int compressed, long to, int size) {
            OffHeap.copy(from, to, size);
            return size;
        }

        @Override
        boolean isStored() {
            return true;
        }
    }

    /** Snappy writes as much as its preamble says, which is therefore compared first. */
    private static final class SnappyPages extends Decompressor {

        @Override
        boolean isPlausible(long from, int compressed, int size) {
            try {
                return Snappy.uncompressedLength(from, compressed) == size;
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        long decompress(long from, int compressed, long to, int size) throws IOException {
            return Snappy.rawUncompress(from, compressed, to);
        }
    }

    private static final class ZstdPages extends Decompressor {

        /** A block of 128 KiB takes 4 bytes at least. */
        private static final long MAX_RATIO = (128 << 10) / 4;

        private final ZstdDecompressCtx context = new ZstdDecompressCtx();

        @Override
        boolean isPlausible(long from, int compressed, int size) {
            long told =
                    Zstd.getDirectByteBufferFrameContentSize(
                            OffHeap.view(from, compressed), 0, compressed);
            return told > 0 ? told == size : size <= compressed * MAX_RATIO;
        }

        @Override
        long decompress(long from, int compressed, long to, int size) {
            return context.decompressDirectByteBuffer(
                    OffHeap.view(to, size), 0, size, OffHeap.view(from, compressed), 0, compressed);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static final class Lz4Pages extends Decompressor {

        private static final long MAX_RATIO = 255;

        private static final LZ4SafeDecompressor LZ4 =
                LZ4Factory.fastestInstance().safeDecompressor();

        @Override
        boolean isPlausible(long from, int compressed, int size) {
            return size <= compressed * MAX_RATIO;
        }

        @Override
        long decompress(long from, int compressed, long to, int size) {
            return LZ4.decompress(
                    OffHeap.view(from, compressed), 0, compressed, OffHeap.view(to, size), 0, size);
        }
    }

    /**
     * One or more members, one after the other.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>
     */
    private static final class GzipPages extends Decompressor {

        private static final long MAX_RATIO = 1032;
        private static final int HEADER_BYTES = 10;
        private static final int TRAILER_BYTES = 8;
        private static final int MAGIC = 0x8B1F;
        private static final int DEFLATE = 8;
        private static final int HEADER_CRC = 2;
        private static final int EXTRA = 4;
        private static final int NAME = 8;
        private static final int COMMENT = 16;

        private final Inflater inflater = new Inflater(true);
        private final CRC32 crc = new CRC32();

        @Override
        boolean isPlausible(long from, int compressed, int size) {
            return size <= compressed * MAX_RATIO;
        }

        @Override
        long decompress(long from, int compressed, long to, int size) throws IOException {
            ByteBuffer in = OffHeap.view(from, compressed);
            ByteBuffer out = OffHeap.view(to, size);
            while (in.hasRemaining() && out.hasRemaining()) {
                member(in, out);
            }
            return out.position();
        }

        private void member(ByteBuffer in, ByteBuffer out) throws IOException {
            skipHeader(in);
            int start = out.position();
            inflater.reset();
            inflater.setInput(in);
            try {
                while (!inflater.finished()) {
                    if (inflater.inflate(out) == 0 && !inflater.finished()) {
                        throw new IOException("a gzip member is cut or too long");
                    }
                }
            } catch (DataFormatException e) {
                throw new IOException(e);
            }
            if (in.remaining() < TRAILER_BYTES) {
                throw new IOException("a gzip member has no trailer");
            }
            crc.reset();
            crc.update(out.duplicate().flip().position(start));
            if ((int) crc.getValue() != in.getInt() || in.getInt() != out.position() - start) {
                throw new IOException("a gzip member fails its checksum");
            }
        }

        private static void skipHeader(ByteBuffer in) throws IOException {
            if (in.remaining() < HEADER_BYTES
                    || (in.getShort() & 0xFFFF) != MAGIC
                    || in.get() != DEFLATE) {
                throw new IOException("no gzip member");
            }
            int flags = in.get();
            in.position(in.position() + HEADER_BYTES - 4);
            if ((flags & EXTRA) != 0) {
                skip(in, 2);
                skip(in, in.getShort(in.position() - 2) & 0xFFFF);
            }
            for (int text = flags & (NAME | COMMENT); text != 0; text &= text - 1) {
                do {
                    skip(in, 1);
                } while (in.get(in.position() - 1) != 0);
            }
            if ((flags & HEADER_CRC) != 0) {
                skip(in, 2);
            }
        }

        private static void skip(ByteBuffer in, int bytes) throws IOException {
            if (bytes > in.remaining()) {
                throw new IOException("a gzip header is cut");
            }
            in.position(in.position() + bytes);
        }

        @Override
        public void close() {
            inflater.end();
        }
    }
}
