package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Values are the same in every encoding, whatever the parts in which they are read. */
class EncodingsTest {

    /** A column in an encoding other than PLAIN. */
    record Encoded(EncodedPages.Column column, Encoding encoding) {}

    private static EncodedPages.Column int32(ColumnType type) {
        return new EncodedPages.Column(PrimitiveTypeName.INT32, 0, type);
    }

    private static EncodedPages.Column int64(ColumnType type) {
        return new EncodedPages.Column(PrimitiveTypeName.INT64, 0, type);
    }

    private static EncodedPages.Column fixed(int length, ColumnType type) {
        return new EncodedPages.Column(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, length, type);
    }

    private static EncodedPages.Column binary(ColumnType type) {
        return new EncodedPages.Column(PrimitiveTypeName.BINARY, 0, type);
    }

    @Provide
    Arbitrary<Encoded> encodings() {
        List<Encoded> all = new ArrayList<>();
        for (EncodedPages.Column c :
                List.of(
                        int32(new ColumnType.Int(32, true)),
                        int32(new ColumnType.Int(8, true)),
                        int32(new ColumnType.Int(16, false)),
                        int32(new ColumnType.Date()),
                        int32(new ColumnType.Decimal(9, 2)),
                        int64(new ColumnType.Int(64, true)),
                        int64(new ColumnType.Timestamp(TimeUnit.NANO, true)),
                        int64(new ColumnType.Decimal(18, 4)))) {
            all.add(new Encoded(c, Encoding.DELTA_BINARY_PACKED));
            all.add(new Encoded(c, Encoding.BYTE_STREAM_SPLIT));
        }
        all.add(
                new Encoded(
                        new EncodedPages.Column(
                                PrimitiveTypeName.FLOAT, 0, new ColumnType.FloatingPoint(32)),
                        Encoding.BYTE_STREAM_SPLIT));
        all.add(
                new Encoded(
                        new EncodedPages.Column(
                                PrimitiveTypeName.DOUBLE, 0, new ColumnType.FloatingPoint(64)),
                        Encoding.BYTE_STREAM_SPLIT));
        for (EncodedPages.Column c :
                List.of(
                        fixed(1, new ColumnType.FixedBinary(1)),
                        fixed(2, new ColumnType.FloatingPoint(16)),
                        fixed(13, new ColumnType.FixedBinary(13)),
                        fixed(16, new ColumnType.FixedBinary(16)),
                        fixed(24, new ColumnType.FixedBinary(24)),
                        fixed(5, new ColumnType.Decimal(10, 3)),
                        fixed(15, new ColumnType.Decimal(35, 3)))) {
            all.add(new Encoded(c, Encoding.DELTA_BYTE_ARRAY));
            all.add(new Encoded(c, Encoding.BYTE_STREAM_SPLIT));
        }
        for (EncodedPages.Column c :
                List.of(
                        binary(new ColumnType.Utf8()),
                        binary(new ColumnType.Binary()),
                        binary(new ColumnType.Decimal(30, 3)))) {
            all.add(new Encoded(c, Encoding.DELTA_LENGTH_BYTE_ARRAY));
            all.add(new Encoded(c, Encoding.DELTA_BYTE_ARRAY));
        }
        return Arbitraries.of(all);
    }

    /** How values follow each other, which decides how many bits their deltas take. */
    enum Course {
        EQUAL,
        STEADY,
        NEAR,
        ANY,
        EXTREME
    }

    private static @Nullable Object value(
            EncodedPages.Column column, Course course, int row, Random random) {
        long number =
                switch (course) {
                    case EQUAL -> 7;
                    case STEADY -> 1000 + 3L * row;
                    case NEAR -> 100L * row + random.nextInt(1 << (row / 64 % 24));
                    case ANY -> random.nextLong() >> random.nextInt(64);
                    case EXTREME -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
                };
        return switch (column.physical()) {
            case INT32 ->
                    course == Course.EXTREME
                            ? random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE
                            : (Integer) (int) number;
            case INT64 -> number;
            case FLOAT -> Float.intBitsToFloat((int) number);
            case DOUBLE -> Double.longBitsToDouble(number);
            case FIXED_LEN_BYTE_ARRAY -> bytes(number, column.length(), random);
            case BINARY ->
                    bytes(
                            number,
                            column.type() instanceof ColumnType.Decimal
                                    ? random.nextInt(13)
                                    : random.nextInt(course == Course.ANY ? 300 : 20),
                            random);
            case BOOLEAN, INT96 -> throw new IllegalArgumentException();
        };
    }

    /** The beginning is often that of other values. */
    private static byte[] bytes(long number, int length, Random random) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] =
                    (byte) (i < length - 3 || random.nextInt(4) > 0 ? 'a' + i % 26 : number >> i);
        }
        return bytes;
    }

    @Property(tries = 400)
    void anEncodingIsReadAsItsPlainTwin(
            @ForAll("encodings") Encoded encoded,
            @ForAll Course course,
            @ForAll @IntRange(max = 2500) int count,
            @ForAll @IntRange(min = 1, max = 1100) int batchRows,
            @ForAll("percents") int nullPercent,
            @ForAll("percents") int skipPercent,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        List<@Nullable Object> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(
                    random.nextInt(100) < nullPercent
                            ? null
                            : value(encoded.column(), course, i, random));
        }
        List<Object> present = new ArrayList<>();
        for (Object row : rows) {
            if (row != null) {
                present.add(row);
            }
        }
        byte[] plain = EncodedPages.write(encoded.column(), Encoding.PLAIN, present);
        byte[] page = EncodedPages.write(encoded.column(), encoded.encoding(), present);
        try (EncodedPages pages = new EncodedPages()) {
            List<@Nullable String> twin =
                    pages.all(encoded.column(), Encoding.PLAIN, plain, present.size());
            List<@Nullable String> read =
                    pages.decode(
                            encoded.column(),
                            encoded.encoding(),
                            page,
                            rows,
                            new EncodedPages.Walk(batchRows, Math.min(skipPercent, 90), random));
            int value = 0;
            for (int i = 0; i < count; i++) {
                String expected = rows.get(i) == null ? null : twin.get(value++);
                if (!"skipped".equals(read.get(i))) {
                    assertThat(read.get(i)).as("row %d", i).isEqualTo(expected);
                }
            }
        }
    }

    @Provide
    Arbitrary<Integer> percents() {
        return Arbitraries.of(0, 0, 3, 50, 97);
    }
}
