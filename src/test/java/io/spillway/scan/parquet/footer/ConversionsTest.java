package io.spillway.scan.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.EncodedPages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a value's bytes in a page to the value in a vector. */
class ConversionsTest {

    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final ColumnType MICROS = new ColumnType.Timestamp(TimeUnit.MICRO, false);
    private static final ColumnType NANOS = new ColumnType.Timestamp(TimeUnit.NANO, false);

    private static final BigInteger DECIMAL_LIMIT = BigInteger.TEN.pow(38);

    private final EncodedPages pages = new EncodedPages();

    @AfterEach
    void close() {
        pages.close();
    }

    private @Nullable String int96(String hex, ColumnType type) {
        return int96(HexFormat.of().parseHex(hex), type);
    }

    private @Nullable String int96(byte[] page, ColumnType type) {
        EncodedPages.Column column = new EncodedPages.Column(PrimitiveTypeName.INT96, 0, type);
        return pages.all(column, Encoding.PLAIN, page, 1).getFirst();
    }

    private static byte[] int96(long nanosOfDay, int julianDay) {
        return ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(nanosOfDay)
                .putInt(julianDay)
                .array();
    }

    private static void fails(Runnable read, ErrorCode code) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(read::run)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code))
                .satisfies(
                        e -> assertThat(e.context()).containsEntry(SpillwayException.COLUMN, "c"));
    }

    @ParameterizedTest
    @CsvSource({
        "000000000000000052441a00, 0001-01-01T00:00:00.000000000",
        "0000000000000000859b2300, 1677-01-01T00:00:00.000000000",
        "ffff4e91944e00008b3d2500, 1969-12-31T23:59:59.999999999",
        "00000000000000008cde2600, 2262-04-12T00:00:00.000000000",
        "9cff4e91944e00002cfe5100, 9999-12-31T23:59:59.999999900"
    })
    void int96TextsHoldEveryInstant(String hex, String expected) {
        assertThat(int96(hex, TEXT)).isEqualTo(expected);
    }

    @Test
    void int96AsMicrosecondsIsExactOrAnError() {
        assertThat(int96("000000000000000052441a00", MICROS)).isEqualTo("-62135596800000000");
        assertThat(int96("00000000000000008cde2600", MICROS)).isEqualTo("9223372800000000");
        fails(() -> int96("ffff4e91944e00008b3d2500", MICROS), ErrorCode.INVALID_CAST);
        fails(() -> int96("9cff4e91944e00002cfe5100", MICROS), ErrorCode.INVALID_CAST);
        fails(() -> int96(int96(0, Integer.MAX_VALUE), MICROS), ErrorCode.INVALID_CAST);
        fails(() -> int96(int96(0, Integer.MIN_VALUE), MICROS), ErrorCode.INVALID_CAST);
    }

    @Test
    void int96AsNanosecondsReachesBothEndsOfTheRange() {
        assertThat(int96("ffff4e91944e00008b3d2500", NANOS)).isEqualTo("-1");
        int epoch = 2_440_588;
        assertThat(int96(int96(85_636_854_775_807L, epoch + 106_751), NANOS))
                .isEqualTo(Long.toString(Long.MAX_VALUE));
        assertThat(int96(int96(763_145_224_192L, epoch - 106_752), NANOS))
                .isEqualTo(Long.toString(Long.MIN_VALUE));
        fails(
                () -> int96(int96(85_636_854_775_808L, epoch + 106_751), NANOS),
                ErrorCode.INVALID_CAST);
        fails(() -> int96(int96(763_145_224_191L, epoch - 106_752), NANOS), ErrorCode.INVALID_CAST);
        fails(() -> int96("000000000000000052441a00", NANOS), ErrorCode.INVALID_CAST);
    }

    @Property(tries = 300)
    void int96IsWhatJavaTimeSays(
            @ForAll @IntRange(min = -20_000_000, max = 20_000_000) int julianDay,
            @ForAll @LongRange(min = -200_000_000_000_000L, max = 200_000_000_000_000L)
                    long nanos) {
        LocalDateTime expected =
                LocalDateTime.ofEpochSecond((julianDay - 2_440_588) * 86_400L, 0, ZoneOffset.UTC)
                        .plusNanos(nanos);

        String text = int96(int96(nanos, julianDay), TEXT);

        assertThat(text).isNotNull();
        assertThat(LocalDateTime.parse(text)).isEqualTo(expected);
    }

    @Property(tries = 500)
    void decimalsOfAnyLength(
            @ForAll BigInteger any,
            @ForAll @IntRange(max = 24) int extension,
            @ForAll boolean nearTheLimit)
            throws IOException {
        BigInteger value =
                nearTheLimit
                        ? DECIMAL_LIMIT
                                .subtract(BigInteger.ONE.add(any.abs().mod(BigInteger.TEN)))
                                .multiply(BigInteger.valueOf(any.signum() < 0 ? -1 : 1))
                        : any.mod(DECIMAL_LIMIT);
        byte[] least = value.toByteArray();
        byte[] bytes = new byte[least.length + extension];
        Arrays.fill(bytes, 0, extension, (byte) (value.signum() < 0 ? -1 : 0));
        System.arraycopy(least, 0, bytes, extension, least.length);

        ColumnType type = new ColumnType.Decimal(38, 3);
        String expected = new BigDecimal(value, 3).toPlainString();
        EncodedPages.Column fixed =
                new EncodedPages.Column(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, bytes.length, type);
        assertThat(pages.all(fixed, Encoding.PLAIN, bytes, 1)).containsExactly(expected);
        EncodedPages.Column binary = new EncodedPages.Column(PrimitiveTypeName.BINARY, 0, type);
        byte[] page = EncodedPages.write(binary, Encoding.PLAIN, List.of(bytes, new byte[0]));
        assertThat(pages.all(binary, Encoding.PLAIN, page, 2)).containsExactly(expected, "0.000");
    }

    @Test
    void decimalsOfMoreThan38DigitsAreErrors() {
        for (BigInteger value :
                List.of(
                        DECIMAL_LIMIT,
                        DECIMAL_LIMIT.negate(),
                        BigInteger.ONE.shiftLeft(127),
                        BigInteger.ONE.shiftLeft(200).negate())) {
            byte[] bytes = value.toByteArray();
            EncodedPages.Column column =
                    new EncodedPages.Column(
                            PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY,
                            bytes.length,
                            new ColumnType.Decimal(38, 0));

            fails(() -> pages.all(column, Encoding.PLAIN, bytes, 1), ErrorCode.FILE_CORRUPT);
        }
    }

    @ParameterizedTest
    @CsvSource({"8, true, -1", "8, false, 255", "16, true, -1", "16, false, 65535"})
    void narrowIntegersAreTheLowBits(int bits, boolean signed, String expected) throws IOException {
        EncodedPages.Column column =
                new EncodedPages.Column(
                        PrimitiveTypeName.INT32, 0, new ColumnType.Int(bits, signed));
        byte[] page = EncodedPages.write(column, Encoding.DELTA_BINARY_PACKED, List.of(-1, 1));

        assertThat(pages.all(column, Encoding.DELTA_BINARY_PACKED, page, 2))
                .containsExactly(expected, "1");
    }

    @Test
    void sharedOutputStaysWithinItsBuffers() throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        for (int i = 0; i < 1000; i++) {
            page.write(int96(i * 1000L, 2_440_588 + i));
        }
        EncodedPages.Column column = new EncodedPages.Column(PrimitiveTypeName.INT96, 0, MICROS);

        assertThat(pages.all(column, Encoding.PLAIN, page.toByteArray(), 1000))
                .hasSize(1000)
                .endsWith(Long.toString(999L * 86_400_000_000L + 999));
    }
}
