package io.spillway.batch.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.spillway.batch.OffHeap;
import org.apache.arrow.flatbuf.CompressionType;

/** Zstandard frames (RFC 8878). */
final class ZstdCodec extends BufferCodec {

    private static final int LEVEL = 1;

    private final ZstdCompressCtx compressor = new ZstdCompressCtx().setLevel(LEVEL);
    private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();

    @Override
    public Compression compression() {
        return Compression.ZSTD;
    }

    @Override
    public byte arrowType() {
        return CompressionType.ZSTD;
    }

    @Override
    public long bound(long bytes) {
        return Zstd.compressBound(bytes);
    }

    @Override
    public long compress(long from, long bytes, long to) {
        int length = Math.toIntExact(bytes);
        int room = Math.toIntExact(bound(bytes));
        return compressor.compressDirectByteBuffer(
                OffHeap.view(to, room), 0, room, OffHeap.view(from, length), 0, length);
    }

    @Override
    public boolean decompress(long from, long compressed, long to, long bytes) {
        int length = (int) compressed;
        int room = (int) bytes;
        try {
            return decompressor.decompressDirectByteBuffer(
                            OffHeap.view(to, room), 0, room, OffHeap.view(from, length), 0, length)
                    == room;
        } catch (ZstdException e) {
            return false;
        }
    }
}
