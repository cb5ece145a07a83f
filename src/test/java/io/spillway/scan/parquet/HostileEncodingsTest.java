package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.value.BytesDecoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a page's bytes are: values or a typed error, soon and in little memory. */
@Timeout(60)
class HostileEncodingsTest {

    private static final int VALUES = 300;

    private static final EncodedPages.Column INT =
            new EncodedPages.Column(PrimitiveTypeName.INT32, 0, new ColumnType.Int(32, true));
    private static final EncodedPages.Column LONG =
            new EncodedPages.Column(PrimitiveTypeName.INT64, 0, new ColumnType.Int(64, true));
    private static final EncodedPages.Column TEXT =
            new EncodedPages.Column(PrimitiveTypeName.BINARY, 0, new ColumnType.Binary());
    private static final EncodedPages.Column DECIMAL =
            new EncodedPages.Column(PrimitiveTypeName.BINARY, 0, new ColumnType.Decimal(20, 2));
    private static final EncodedPages.Column FIXED =
            new EncodedPages.Column(
                    PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, 7, new ColumnType.FixedBinary(7));
    private static final EncodedPages.Column DOUBLE =
            new EncodedPages.Column(PrimitiveTypeName.DOUBLE, 0, new ColumnType.FloatingPoint(64));

    private final EncodedPages pages = new EncodedPages();

    @AfterEach
    void close() {
        pages.close();
    }

    static Stream<Arguments> encodings() {
        return Stream.of(
                Arguments.of(INT, Encoding.DELTA_BINARY_PACKED),
                Arguments.of(LONG, Encoding.DELTA_BINARY_PACKED),
                Arguments.of(INT, Encoding.BYTE_STREAM_SPLIT),
                Arguments.of(DOUBLE, Encoding.BYTE_STREAM_SPLIT),
                Arguments.of(FIXED, Encoding.BYTE_STREAM_SPLIT),
                Arguments.of(FIXED, Encoding.DELTA_BYTE_ARRAY),
                Arguments.of(TEXT, Encoding.DELTA_LENGTH_BYTE_ARRAY),
                Arguments.of(TEXT, Encoding.DELTA_BYTE_ARRAY),
                Arguments.of(TEXT, Encoding.PLAIN),
                Arguments.of(DECIMAL, Encoding.DELTA_LENGTH_BYTE_ARRAY),
                Arguments.of(DECIMAL, Encoding.DELTA_BYTE_ARRAY));
    }

    private static byte[] page(EncodedPages.Column column, Encoding encoding) throws IOException {
        Random random = new Random(5);
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            values.add(
                    switch (column.physical()) {
                        case INT32 -> random.nextInt() >> random.nextInt(31);
                        case INT64 -> random.nextLong() >> random.nextInt(63);
                        case DOUBLE -> random.nextDouble();
                        case FIXED_LEN_BYTE_ARRAY ->
                                "%07d".formatted(i * 31).getBytes(StandardCharsets.US_ASCII);
                        default ->
                                "%06d"
                                        .formatted(i * 37)
                                        .substring(0, 2 + i % 5)
                                        .getBytes(StandardCharsets.US_ASCII);
                    });
        }
        return EncodedPages.write(column, encoding, values);
    }

    private void isCorrupt(EncodedPages.Column column, Encoding encoding, byte[] page) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> pages.all(column, encoding, page, VALUES))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> skip(column, encoding, page))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
    }

    /** Passes over all values of a page but the last, which is read. */
    private void skip(EncodedPages.Column column, Encoding encoding, byte[] page) {
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            rows.add(i);
        }
        pages.decode(
                column, encoding, page, rows, new EncodedPages.Walk(VALUES, 99, new Random(2)));
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void aPageCutByThreeBytes(EncodedPages.Column column, Encoding encoding) throws IOException {
        byte[] whole = page(column, encoding);

        isCorrupt(column, encoding, Arrays.copyOf(whole, whole.length - 3));
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void aPageCutAnywhere(EncodedPages.Column column, Encoding encoding) throws IOException {
        byte[] whole = page(column, encoding);
        for (int length = 0; length < whole.length; length += 1 + length / 20) {
            isCorrupt(column, encoding, Arrays.copyOf(whole, length));
        }
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void bytesChangedAnywhere(EncodedPages.Column column, Encoding encoding) throws IOException {
        long seed = 99;
        Random random = new Random(seed);
        byte[] whole = page(column, encoding);
        for (int i = 0; i < 500; i++) {
            byte[] page = whole.clone();
            int near = random.nextBoolean() ? Math.min(40, page.length) : page.length;
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                page[random.nextInt(near)] = (byte) random.nextInt();
            }
            long before = System.nanoTime();
            try {
                if (random.nextBoolean()) {
                    assertThat(pages.all(column, encoding, page, VALUES)).hasSize(VALUES);
                } else {
                    skip(column, encoding, page);
                }
            } catch (SpillwayException e) {
                assertThat(e.code()).as("change %d", i).isEqualTo(ErrorCode.FILE_CORRUPT);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isLessThan(Duration.ofSeconds(2));
        }
    }

    private static byte[] varints(long... values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (long value : values) {
            long rest = value;
            while ((rest & ~127L) != 0) {
                out.write((int) ((rest & 127) | 128));
                rest >>>= 7;
            }
            out.write((int) rest);
        }
        return out.toByteArray();
    }

    static Stream<long[]> headers() {
        return Stream.of(
                new long[] {0, 4, VALUES, 0},
                new long[] {100, 4, VALUES, 0},
                new long[] {128, 0, VALUES, 0},
                new long[] {128, 3, VALUES, 0},
                new long[] {128, 8, VALUES, 0},
                new long[] {128, 4, VALUES + 1, 0},
                new long[] {128, 4, Integer.MAX_VALUE, 0},
                new long[] {128, 4, -1, 0},
                new long[] {-128, 4, VALUES, 0},
                new long[] {1L << 40, 4, VALUES, 0},
                // Blocks that no page can hold: a width for each of so many miniblocks.
                new long[] {Integer.MAX_VALUE / 128 * 128L, 1 << 24, VALUES, 0},
                new long[] {1L << 30, 1 << 25, VALUES, 0},
                // Widths of 65 bits, and of 255.
                new long[] {128, 4, VALUES, 0, 0, 65, 65, 65, 65},
                new long[] {128, 1, VALUES, 0, 0, 255});
    }

    @ParameterizedTest
    @MethodSource("headers")
    void headersOfDeltasThatLie(long[] header) {
        byte[] page = Arrays.copyOf(varints(header), 2000);

        isCorrupt(INT, Encoding.DELTA_BINARY_PACKED, page);
        isCorrupt(LONG, Encoding.DELTA_BINARY_PACKED, page);
        isCorrupt(TEXT, Encoding.DELTA_LENGTH_BYTE_ARRAY, page);
        isCorrupt(TEXT, Encoding.DELTA_BYTE_ARRAY, page);
    }

    /** One block of a thousand million equal deltas takes a few bytes, and no time to pass over. */
    @Test
    void aBlockLargerThanAnyPage() {
        byte[] page = varints(1L << 30, 1, VALUES, 84, 1, 0);

        assertThat(pages.all(LONG, Encoding.DELTA_BINARY_PACKED, page, VALUES))
                .startsWith("42", "41", "40")
                .hasSize(VALUES);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] integers(int first, int step) throws IOException {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            values.add(first + i * step);
        }
        return EncodedPages.write(INT, Encoding.DELTA_BINARY_PACKED, values);
    }

    @Test
    void lengthsThatAreNegativeOrHuge() throws IOException {
        byte[] data = new byte[4000];

        for (byte[] lengths :
                List.of(
                        integers(-1, 0),
                        integers(5, -1),
                        integers(Integer.MAX_VALUE, 0),
                        integers(1 << 30, 7),
                        integers(14, 0))) {
            isCorrupt(TEXT, Encoding.DELTA_LENGTH_BYTE_ARRAY, join(lengths, data));
            isCorrupt(TEXT, Encoding.DELTA_BYTE_ARRAY, join(integers(0, 0), lengths, data));
            isCorrupt(DECIMAL, Encoding.DELTA_BYTE_ARRAY, join(integers(0, 0), lengths, data));
            isCorrupt(FIXED, Encoding.DELTA_BYTE_ARRAY, join(integers(0, 0), lengths, data));
        }
    }

    @Test
    void prefixesThatAreLongerThanTheValueBefore() throws IOException {
        byte[] data = new byte[4000];

        isCorrupt(TEXT, Encoding.DELTA_BYTE_ARRAY, join(integers(1, 0), integers(3, 0), data));
        isCorrupt(TEXT, Encoding.DELTA_BYTE_ARRAY, join(integers(0, 4), integers(3, 0), data));
        isCorrupt(TEXT, Encoding.DELTA_BYTE_ARRAY, join(integers(0, -1), integers(3, 0), data));
    }

    /** A page of some kilobytes may hold gigabytes of values; batches end long before. */
    @Test
    void valuesThatShareNearlyAllOfTheOneBefore() throws IOException {
        int length = 1 << 20;
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            byte[] value = new byte[length];
            value[length - 1] = (byte) i;
            values.add(value);
        }
        byte[] page = EncodedPages.write(TEXT, Encoding.DELTA_BYTE_ARRAY, values);
        assertThat(page).hasSizeLessThan(length + 4000);

        pages.eachBatch(
                TEXT,
                Encoding.DELTA_BYTE_ARRAY,
                page,
                VALUES,
                vector ->
                        assertThat(vector.getBufferSize())
                                .isLessThan(BytesDecoder.FULL + 2 * length));
    }

    @Test
    void encodingsThatTheTypeCannotHave() {
        byte[] page = new byte[2400];
        for (EncodedPages.Column column : List.of(INT, LONG, TEXT, DECIMAL, FIXED, DOUBLE)) {
            notSupported(column, Encoding.BIT_PACKED, page);
            notSupported(column, Encoding.RLE, page);
        }
        notSupported(TEXT, Encoding.DELTA_BINARY_PACKED, page);
        notSupported(TEXT, Encoding.BYTE_STREAM_SPLIT, page);
        notSupported(DOUBLE, Encoding.DELTA_BINARY_PACKED, page);
        notSupported(INT, Encoding.DELTA_BYTE_ARRAY, page);
        notSupported(FIXED, Encoding.DELTA_LENGTH_BYTE_ARRAY, page);
    }

    private void notSupported(EncodedPages.Column column, Encoding encoding, byte[] page) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> pages.all(column, encoding, page, VALUES))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_SUPPORTED));
    }
}
