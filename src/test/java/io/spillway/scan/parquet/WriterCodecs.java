package io.spillway.scan.parquet;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/** Compressors for parquet-java's writer that do without Hadoop. */
final class WriterCodecs implements CompressionCodecFactory {

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        return new BytesInputCompressor() {
            @Override
            public BytesInput compress(BytesInput bytes) throws IOException {
                ByteArrayOutputStream page = new ByteArrayOutputStream();
                bytes.writeAllTo(page);
                return BytesInput.from(WriterCodecs.compress(codec, page.toByteArray()));
            }

            @Override
            public CompressionCodecName getCodecName() {
                return codec;
            }

            @Override
            public void release() {}
        };
    }

    private static byte[] compress(CompressionCodecName codec, byte[] bytes) throws IOException {
        return switch (codec) {
            case UNCOMPRESSED -> bytes;
            case SNAPPY -> Snappy.compress(bytes);
            case ZSTD -> Zstd.compress(bytes);
            case LZ4_RAW -> LZ4Factory.fastestInstance().fastCompressor().compress(bytes);
            case GZIP -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                    gzip.write(bytes);
                }
                yield out.toByteArray();
            }
            default -> throw new IllegalArgumentException(codec.name());
        };
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void release() {}
}
