package io.spillway.scan.parquet.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStream;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.bytes.Place;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.format.CompressionCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

/** Pages out of compressed bytes, exactly the size that is asked for or none. */
class DecompressorTest {

    private static final Place PLACE = new Place("file:///f", 0, "c");

    /** Behind the page's memory; never to be written. */
    private static final byte GUARD = 0x5A;

    private static byte[] text(int length) {
        Random random = new Random(length);
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) "abcdefgh".charAt(random.nextInt(8));
        }
        return text;
    }

    /** The page, or null if the bytes cannot give it. */
    private static byte @Nullable [] decompress(
            CompressionCodec codec, byte[] compressed, int size) {
        try (Decompressor decompressor = Decompressor.of(codec, PLACE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocate(Math.max(1, compressed.length), 8);
            MemorySegment.copy(compressed, 0, in, ValueLayout.JAVA_BYTE, 0, compressed.length);
            if (!decompressor.isPlausible(in.address(), compressed.length, size)) {
                return null;
            }
            MemorySegment out = arena.allocate(size + 64L, 8).fill(GUARD);
            long written;
            try {
                written =
                        decompressor.decompress(
                                in.address(), compressed.length, out.address(), size);
            } catch (IOException | RuntimeException e) {
                written = -1;
            }
            for (int i = 0; i < 64; i++) {
                assertThat(out.get(ValueLayout.JAVA_BYTE, size + i)).isEqualTo(GUARD);
            }
            return written == size ? out.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE) : null;
        }
    }

    private static byte[] lz4(byte[] text) {
        return LZ4Factory.safeInstance().fastCompressor().compress(text);
    }

    private static byte[] compress(CompressionCodec codec, byte[] text) throws IOException {
        return switch (codec) {
            case UNCOMPRESSED -> text;
            case SNAPPY -> Snappy.compress(text);
            case GZIP -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                    gzip.write(text);
                }
                yield out.toByteArray();
            }
            case ZSTD -> Zstd.compress(text);
            case LZ4, LZ4_RAW -> lz4(text);
            case LZO, BROTLI -> throw new IllegalArgumentException();
        };
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] length(int length) {
        return ByteBuffer.allocate(4).putInt(length).array();
    }

    /** One block in the frame of Hadoop's streams, in parts of so many bytes. */
    private static byte[] hadoop(byte[] text, int partBytes) {
        byte[] frame = length(text.length);
        for (int from = 0; from < text.length; from += partBytes) {
            byte[] part =
                    lz4(Arrays.copyOfRange(text, from, Math.min(text.length, from + partBytes)));
            frame = join(frame, length(part.length), part);
        }
        return frame;
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodec.class,
            names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4", "LZ4_RAW"})
    void everyCodec(CompressionCodec codec) throws IOException {
        for (int length : new int[] {2, 7, 300, 100_000}) {
            byte[] text = text(length);
            byte[] compressed = compress(codec, text);

            assertThat(decompress(codec, compressed, length)).isEqualTo(text);
            assertThat(decompress(codec, compressed, length + 1)).isNull();
            assertThat(decompress(codec, compressed, length - 1)).isNull();
            assertThat(decompress(codec, Arrays.copyOf(compressed, compressed.length - 1), length))
                    .isNull();
        }
    }

    /**
     * The beginning, as far as there is one; it is that of the page, and neither the compressed
     * bytes nor what stands behind the page are changed.
     */
    private static int beginning(
            CompressionCodec codec, byte[] compressed, byte[] text, int least) {
        try (Decompressor decompressor = Decompressor.of(codec, PLACE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocate(Math.max(1, compressed.length), 8);
            MemorySegment.copy(compressed, 0, in, ValueLayout.JAVA_BYTE, 0, compressed.length);
            MemorySegment out = arena.allocate(text.length + 64L, 8).fill(GUARD);

            int there =
                    decompressor.decompressBeginning(
                            in.address(), compressed.length, out.address(), text.length, least);

            assertThat(in.asSlice(0, compressed.length).toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(compressed);
            for (int i = 0; i < 64; i++) {
                assertThat(out.get(ValueLayout.JAVA_BYTE, text.length + i)).isEqualTo(GUARD);
            }
            assertThat(out.asSlice(0, there).toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(Arrays.copyOf(text, there));
            return there;
        }
    }

    /** What a page of few values may look like, and one of many that differ. */
    private static List<byte[]> longTexts() {
        byte[] same = new byte[900_001];
        byte[] noise = new byte[700_003];
        new Random(5).nextBytes(noise);
        return List.of(text(1_000_000), same, noise, join(same, text(400_000), noise));
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodec.class,
            names = {"SNAPPY", "GZIP", "ZSTD", "LZ4", "LZ4_RAW"})
    void theBeginningOrNothing(CompressionCodec codec) throws IOException {
        for (byte[] text : longTexts()) {
            byte[] compressed = compress(codec, text);
            for (int least : new int[] {1, 1000, 131_072, 131_073, 300_000, text.length}) {
                int there = beginning(codec, compressed, text, least);

                boolean can = codec == CompressionCodec.GZIP || codec == CompressionCodec.ZSTD;
                assertThat(there).isLessThanOrEqualTo(can ? text.length : 0);
                if (can && least < 140_000) {
                    assertThat(there).isBetween(least, text.length * 3 / 4);
                }
            }
            assertThat(decompress(codec, compressed, text.length)).isEqualTo(text);
        }
    }

    @Test
    void theBeginningOfEveryKindOfZstandardFrame() throws IOException {
        byte[] text = text(600_000);
        List<byte[]> frames = new ArrayList<>();
        for (int level : new int[] {-5, 1, 3, 9, 19}) {
            for (boolean checksum : new boolean[] {false, true}) {
                for (boolean size : new boolean[] {false, true}) {
                    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
                        context.setLevel(level).setChecksum(checksum).setContentSize(size);
                        frames.add(context.compress(text));
                    }
                }
            }
        }
        // One that was written without its size being known, in a window smaller than the page.
        ByteArrayOutputStream streamed = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(streamed)) {
            out.setWindowLog(17);
            out.write(text);
        }
        frames.add(streamed.toByteArray());
        for (byte[] frame : frames) {
            assertThat(beginning(CompressionCodec.ZSTD, frame, text, 100_000))
                    .isBetween(100_000, 450_000);
            assertThat(decompress(CompressionCodec.ZSTD, frame, text.length)).isEqualTo(text);
        }
    }

    @Test
    void whatIsNotOneWholeFrameHasNoBeginning() throws IOException {
        byte[] text = text(600_000);
        for (CompressionCodec codec : List.of(CompressionCodec.ZSTD, CompressionCodec.GZIP)) {
            byte[] frame = compress(codec, text);
            byte[] half = compress(codec, Arrays.copyOf(text, 300_000));

            for (int cut : new int[] {0, 1, 5, 6, 9, 100, frame.length / 2, frame.length - 1}) {
                assertThat(beginning(codec, Arrays.copyOf(frame, cut), text, 10)).isZero();
            }
            assertThat(beginning(codec, join(frame, new byte[] {0}), text, 10)).isZero();
            assertThat(beginning(codec, join(half, half), text, 10)).isZero();
            assertThat(beginning(codec, frame, Arrays.copyOf(text, 599_999), 10)).isZero();
        }
    }

    /** Whatever changes, the beginning is some bytes, or none, and all that is written is its. */
    @Test
    void theBeginningOfDamagedBytes() throws IOException {
        byte[] text = text(500_000);
        Random random = new Random(11);
        for (CompressionCodec codec : List.of(CompressionCodec.ZSTD, CompressionCodec.GZIP)) {
            byte[] good = compress(codec, text);
            for (int i = 0; i < 400; i++) {
                byte[] bad = good.clone();
                int place = random.nextInt(random.nextBoolean() ? 20 : bad.length);
                bad[place] = (byte) random.nextInt(256);
                try (Decompressor decompressor = Decompressor.of(codec, PLACE);
                        Arena arena = Arena.ofConfined()) {
                    MemorySegment in = arena.allocate(bad.length, 8);
                    MemorySegment.copy(bad, 0, in, ValueLayout.JAVA_BYTE, 0, bad.length);
                    MemorySegment out = arena.allocate(text.length + 64L, 8).fill(GUARD);
                    int there =
                            decompressor.decompressBeginning(
                                    in.address(), bad.length, out.address(), text.length, 50_000);
                    assertThat(there).isBetween(0, text.length);
                    assertThat(out.get(ValueLayout.JAVA_BYTE, text.length)).isEqualTo(GUARD);
                    assertThat(in.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bad);
                }
            }
        }
    }

    @Test
    void oldLz4InHadoopsFrame() {
        byte[] text = text(70_000);
        byte[] other = text(999);

        assertThat(decompress(CompressionCodec.LZ4, hadoop(text, 70_000), 70_000)).isEqualTo(text);
        assertThat(decompress(CompressionCodec.LZ4, hadoop(text, 8_000), 70_000)).isEqualTo(text);
        assertThat(
                        decompress(
                                CompressionCodec.LZ4,
                                join(hadoop(text, 9_000), hadoop(other, 500)),
                                70_999))
                .isEqualTo(join(text, other));
    }

    @Test
    void oldLz4InAFrameThatLies() {
        byte[] text = text(5_000);
        byte[] good = hadoop(text, 1_000);
        Random random = new Random(3);
        int read = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(i % 2 == 0 ? 12 : bad.length)] = (byte) random.nextInt();
            read += decompress(CompressionCodec.LZ4, bad, 5_000) == null ? 0 : 1;
        }
        assertThat(read).isLessThan(2_000);
        assertThat(decompress(CompressionCodec.LZ4, join(length(0), length(0)), 8)).isNull();
        assertThat(decompress(CompressionCodec.LZ4, length(5_000), 5_000)).isNull();
    }

    @Test
    void severalMembersAndFrames() throws IOException {
        byte[] first = text(5_000);
        byte[] second = text(77);
        for (CompressionCodec codec :
                new CompressionCodec[] {CompressionCodec.GZIP, CompressionCodec.ZSTD}) {
            byte[] both = join(compress(codec, first), compress(codec, second));

            assertThat(decompress(codec, both, 5_077)).isEqualTo(join(first, second));
            assertThat(decompress(codec, both, 5_078)).isNull();
        }
    }

    /** No codec is believed to give more than it can, so nothing is allocated for a bomb. */
    @ParameterizedTest
    @EnumSource(
            value = CompressionCodec.class,
            names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4", "LZ4_RAW"})
    void aFewBytesNeverClaimAGibibyte(CompressionCodec codec) {
        try (Decompressor decompressor = Decompressor.of(codec, PLACE);
                Arena arena = Arena.ofConfined()) {
            // For Snappy, the preamble of a gibibyte.
            byte[] bytes = {
                (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 4, 0, 0, 0, 0, 0, 0, 0
            };
            MemorySegment in =
                    arena.allocate(bytes.length, 8).copyFrom(MemorySegment.ofArray(bytes));

            assertThat(decompressor.isPlausible(in.address(), bytes.length, 1 << 30)).isFalse();
        }
    }

    /** A gzip member of ten mebibytes of nothing, where the page has a thousand bytes. */
    @Test
    void aBombIsStoppedAtThePagesSize() throws IOException {
        byte[] bomb = compress(CompressionCodec.GZIP, new byte[10 << 20]);

        assertThat(decompress(CompressionCodec.GZIP, bomb, 1_000)).isNull();
        assertThat(decompress(CompressionCodec.ZSTD, Zstd.compress(new byte[10 << 20]), 1_000))
                .isNull();
        assertThat(decompress(CompressionCodec.LZ4_RAW, lz4(new byte[10 << 20]), 1_000)).isNull();
        assertThat(decompress(CompressionCodec.LZ4, lz4(new byte[10 << 20]), 1_000)).isNull();
        assertThat(decompress(CompressionCodec.LZ4, hadoop(new byte[10 << 20], 1 << 20), 1_000))
                .isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodec.class,
            names = {"BROTLI", "LZO"})
    void codecsThatAreNotSupported(CompressionCodec codec) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> Decompressor.of(codec, PLACE).close())
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_SUPPORTED));
    }
}
