package io.spillway.scan.parquet;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;

/**
 * The flat types of Parquet, each with its annotation and its physical type, the DuckDB type that
 * is written as it, and random values. A value is as parquet-java wants it: Boolean, Integer, Long,
 * Float, Double, or bytes.
 */
enum RoundTripKind {
    BOOL("boolean %s", "BOOLEAN"),
    INT8("int32 %s (INTEGER(8,true))", "TINYINT"),
    INT16("int32 %s (INTEGER(16,true))", "SMALLINT"),
    INT32("int32 %s", "INTEGER"),
    INT64("int64 %s", "BIGINT"),
    UINT8("int32 %s (INTEGER(8,false))", "UTINYINT"),
    UINT16("int32 %s (INTEGER(16,false))", "USMALLINT"),
    UINT32("int32 %s (INTEGER(32,false))", "UINTEGER"),
    UINT64("int64 %s (INTEGER(64,false))", "UBIGINT"),
    FLOAT16("fixed_len_byte_array(2) %s (FLOAT16)", ""),
    FLOAT("float %s", "FLOAT"),
    DOUBLE("double %s", "DOUBLE"),
    DECIMAL_INT32("int32 %s (DECIMAL(9,2))", "DECIMAL(9,2)"),
    DECIMAL_INT64("int64 %s (DECIMAL(18,4))", "DECIMAL(18,4)"),
    DECIMAL_FIXED("fixed_len_byte_array(16) %s (DECIMAL(38,10))", "DECIMAL(38,10)"),
    DECIMAL_NARROW("fixed_len_byte_array(5) %s (DECIMAL(11,11))", ""),
    DECIMAL_BYTES("binary %s (DECIMAL(20,3))", ""),
    TEXT("binary %s (STRING)", "VARCHAR"),
    ENUM("binary %s (ENUM)", ""),
    JSON("binary %s (JSON)", ""),
    BSON("binary %s (BSON)", ""),
    BYTES("binary %s", "BLOB"),
    FIXED("fixed_len_byte_array(5) %s", ""),
    UUID("fixed_len_byte_array(16) %s (UUID)", "UUID"),
    DATE("int32 %s (DATE)", "DATE"),
    TIME_MILLIS("int32 %s (TIME(MILLIS,false))", ""),
    TIME_MICROS("int64 %s (TIME(MICROS,true))", "TIME"),
    TIME_NANOS("int64 %s (TIME(NANOS,false))", ""),
    TIMESTAMP_MILLIS("int64 %s (TIMESTAMP(MILLIS,false))", "TIMESTAMP_MS"),
    TIMESTAMP_MICROS("int64 %s (TIMESTAMP(MICROS,false))", "TIMESTAMP"),
    TIMESTAMP_NANOS("int64 %s (TIMESTAMP(NANOS,false))", "TIMESTAMP_NS"),
    TIMESTAMP_UTC("int64 %s (TIMESTAMP(MICROS,true))", "TIMESTAMPTZ");

    private static final long DAY_MILLIS = 86_400_000L;
    private static final long YEAR_9999_MILLIS = 253_402_300_799_999L;
    private static final double[] ODD = {
        0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.5, -2.25
    };

    private final String parquet;
    private final String duckDb;

    RoundTripKind(String parquet, String duckDb) {
        this.parquet = parquet;
        this.duckDb = duckDb;
    }

    /** The field in Parquet's own syntax, without repetition. */
    String parquet(String name) {
        return parquet.formatted(name);
    }

    String duckDb() {
        return duckDb;
    }

    boolean isWrittenByDuckDb() {
        return !duckDb.isEmpty();
    }

    Object value(Random random) {
        return switch (this) {
            case BOOL -> random.nextBoolean();
            case INT8 -> (int) (byte) integer(random);
            case INT16 -> (int) (short) integer(random);
            case INT32 -> (int) integer(random);
            case INT64, UINT64 -> integer(random);
            case UINT8 -> (int) integer(random) & 0xFF;
            case UINT16 -> (int) integer(random) & 0xFFFF;
            case UINT32 -> (int) integer(random);
            case FLOAT16 -> {
                short bits = Float.floatToFloat16((float) floating(random));
                yield new byte[] {(byte) bits, (byte) (bits >> 8)};
            }
            case FLOAT -> (float) floating(random);
            case DOUBLE -> floating(random);
            case DECIMAL_INT32 -> unscaled(9, random).intValueExact();
            case DECIMAL_INT64 -> unscaled(18, random).longValueExact();
            case DECIMAL_FIXED -> fixed(unscaled(38, random), 16);
            case DECIMAL_NARROW -> fixed(unscaled(11, random), 5);
            case DECIMAL_BYTES -> unscaled(20, random).toByteArray();
            case TEXT, ENUM -> text(random).getBytes(StandardCharsets.UTF_8);
            case JSON -> ("[" + random.nextInt(100) + "]").getBytes(StandardCharsets.UTF_8);
            case BSON, BYTES -> bytes(random.nextInt(20), random);
            case FIXED -> bytes(5, random);
            case UUID -> bytes(16, random);
            case DATE -> random.nextInt(-719_000, 2_932_000);
            case TIME_MILLIS -> random.nextInt((int) DAY_MILLIS);
            case TIME_MICROS -> random.nextLong(DAY_MILLIS * 1000);
            case TIME_NANOS -> random.nextLong(DAY_MILLIS * 1_000_000);
            case TIMESTAMP_MILLIS -> millis(random);
            case TIMESTAMP_MICROS, TIMESTAMP_UTC -> millis(random) * 1000 + random.nextInt(1000);
            case TIMESTAMP_NANOS ->
                    random.nextLong(-9_000_000_000L, 9_000_000_000L) * 1_000_000_007;
        };
    }

    private static long millis(Random random) {
        return random.nextLong(-60_000_000_000_000L, YEAR_9999_MILLIS);
    }

    /** Small ones, large ones, and the ends of the range. */
    private static long integer(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Long.MAX_VALUE;
            case 1 -> 0x8080_8080_8080_8080L;
            case 2 -> random.nextLong();
            default -> random.nextInt(-100, 100);
        };
    }

    private static double floating(Random random) {
        return random.nextInt(3) == 0
                ? ODD[random.nextInt(ODD.length)]
                : random.nextInt(-1000, 1000) / 8.0;
    }

    private static BigInteger unscaled(int digits, Random random) {
        BigInteger end = BigInteger.TEN.pow(digits);
        return switch (random.nextInt(4)) {
            case 0 -> end.subtract(BigInteger.ONE);
            case 1 -> BigInteger.ONE.subtract(end);
            case 2 -> BigInteger.valueOf(random.nextInt(-9, 10));
            default -> new BigInteger(digits * 3, random).mod(end);
        };
    }

    private static byte[] fixed(BigInteger value, int width) {
        byte[] bytes = new byte[width];
        byte[] shorter = value.toByteArray();
        Arrays.fill(bytes, (byte) (value.signum() < 0 ? -1 : 0));
        System.arraycopy(shorter, 0, bytes, width - shorter.length, shorter.length);
        return bytes;
    }

    private static String text(Random random) {
        return "é".repeat(random.nextInt(4))
                + (random.nextInt(4) == 0 ? "" : "text" + random.nextInt(50));
    }

    private static byte[] bytes(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The value as {@link Values} gives it. */
    String text(Object value) {
        return switch (this) {
            case UINT32 -> Integer.toUnsignedString((Integer) value);
            case UINT64 -> Long.toUnsignedString((Long) value);
            case FLOAT16 ->
                    Float.toString(
                            Float.float16ToFloat(
                                    ByteBuffer.wrap((byte[]) value)
                                            .order(ByteOrder.LITTLE_ENDIAN)
                                            .getShort()));
            case DECIMAL_INT32 -> decimal(BigInteger.valueOf((Integer) value), 2);
            case DECIMAL_INT64 -> decimal(BigInteger.valueOf((Long) value), 4);
            case DECIMAL_FIXED -> decimal(new BigInteger((byte[]) value), 10);
            case DECIMAL_NARROW -> decimal(new BigInteger((byte[]) value), 11);
            case DECIMAL_BYTES -> decimal(new BigInteger((byte[]) value), 3);
            case TEXT, ENUM, JSON -> new String((byte[]) value, StandardCharsets.UTF_8);
            case BSON, BYTES, FIXED, UUID -> HexFormat.of().formatHex((byte[]) value);
            case BOOL,
                    INT8,
                    INT16,
                    INT32,
                    INT64,
                    UINT8,
                    UINT16,
                    FLOAT,
                    DOUBLE,
                    DATE,
                    TIME_MILLIS,
                    TIME_MICROS,
                    TIME_NANOS,
                    TIMESTAMP_MILLIS,
                    TIMESTAMP_MICROS,
                    TIMESTAMP_NANOS,
                    TIMESTAMP_UTC ->
                    value.toString();
        };
    }

    private static String decimal(BigInteger unscaled, int scale) {
        return new BigDecimal(unscaled, scale).toPlainString();
    }

    /** The text of a value inside another one. */
    String quoted(Object value) {
        return switch (this) {
            case TEXT, ENUM, JSON, BSON, BYTES, FIXED, UUID -> NestedValues.quote(text(value));
            default -> text(value);
        };
    }

    /** The value as a DuckDB expression of its type. */
    String literal(Object value) {
        return switch (this) {
            case DATE -> "(DATE '1970-01-01' + (" + value + "))";
            case TIME_MICROS -> "(TIME '00:00:00' + to_microseconds(" + value + "))";
            case TIMESTAMP_MILLIS -> "make_timestamp_ms(" + value + ")";
            case TIMESTAMP_MICROS -> "make_timestamp(" + value + ")";
            case TIMESTAMP_NANOS -> "make_timestamp_ns(" + value + ")";
            case TIMESTAMP_UTC -> "make_timestamptz(" + value + ")";
            case BYTES -> "unhex('" + text(value) + "')";
            default -> "CAST('" + text(value) + "' AS " + duckDb + ")";
        };
    }

    /** Adds the value to a field of a row. */
    static void add(Group group, String field, Object value) {
        switch (value) {
            case Boolean v -> group.add(field, v);
            case Integer v -> group.add(field, v);
            case Long v -> group.add(field, v);
            case Float v -> group.add(field, v);
            case Double v -> group.add(field, v);
            case byte[] v -> group.add(field, Binary.fromConstantByteArray(v));
            default -> throw new IllegalArgumentException(value.getClass().getName());
        }
    }
}
