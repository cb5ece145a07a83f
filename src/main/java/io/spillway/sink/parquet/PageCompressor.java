package io.spillway.sink.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compresses pages with Zstandard, by one context that is kept, and arrays that are: what it gives
 * is good until the next page. Not thread-safe.
 */
final class PageCompressor implements BytesInputCompressor {

    /** What parquet-java takes, too: most of the size of higher levels, for little time. */
    private static final int LEVEL = 3;

    private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL);
    private final Page page = new Page();
    private byte[] compressed = {};

    /** An array that grows, and shows itself. */
    private static final class Page extends ByteArrayOutputStream {

        byte[] bytes() {
            return buf;
        }
    }

    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
        page.reset();
        bytes.writeAllTo(page);
        int bound = Math.toIntExact(Zstd.compressBound(page.size()));
        if (compressed.length < bound) {
            compressed = new byte[bound];
        }
        int length =
                context.compressByteArray(
                        compressed, 0, compressed.length, page.bytes(), 0, page.size());
        return BytesInput.from(compressed, 0, length);
    }

    @Override
    public CompressionCodecName getCodecName() {
        return CompressionCodecName.ZSTD;
    }

    @Override
    public void release() {
        context.close();
    }
}
