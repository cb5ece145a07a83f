package io.spillway.operator.key;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;

/**
 * Truth values, integers, floats, dates and times as the low bits of a word, so that their unsigned
 * order is the values'. NaN has one pattern, above all numbers; −0.0 has that of 0.0.
 */
final class OrderedBits {

    private OrderedBits() {}

    /** Bytes of a value; for other types of fixed width, too. */
    static int bytes(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool _ -> 1;
            case ColumnType.Int(int bits, boolean _) -> bits >>> 3;
            case ColumnType.FloatingPoint(int bits) -> bits >>> 3;
            case ColumnType.Decimal _ -> 16;
            case ColumnType.FixedBinary(int width) -> width;
            case ColumnType.Date _ -> Integer.BYTES;
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    unit.digits() <= 3 ? Integer.BYTES : Long.BYTES;
            case ColumnType.Timestamp _ -> Long.BYTES;
            case ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(type + " has no width");
        };
    }

    /** One value. */
    static long of(ColumnType type, long data, int row) {
        return switch (type) {
            case ColumnType.Bool _ -> bit(data, row);
            case ColumnType.FloatingPoint(int bits) ->
                    switch (bits) {
                        case 16 -> half(Float.float16ToFloat(OffHeap.getShort(data + 2L * row)));
                        case 32 -> single(Float.intBitsToFloat(OffHeap.getInt(data + 4L * row)));
                        default ->
                                ordered(Double.longBitsToDouble(OffHeap.getLong(data + 8L * row)));
                    };
            case ColumnType _ -> {
                int bytes = bytes(type);
                long flip = flip(type);
                yield flip
                        ^ switch (bytes) {
                            case 1 -> OffHeap.getByte(data + row);
                            case 2 -> OffHeap.getShort(data + 2L * row);
                            case 4 -> OffHeap.getInt(data + 4L * row);
                            default -> OffHeap.getLong(data + 8L * row);
                        };
            }
        };
    }

    /** Many values. */
    static void load(ColumnType type, long data, int rows, long[] to) {
        switch (type) {
            case ColumnType.Bool _ -> {
                for (int i = 0; i < rows; i++) {
                    to[i] = bit(data, i);
                }
            }
            case ColumnType.FloatingPoint(int bits) -> {
                switch (bits) {
                    case 16 -> {
                        for (int i = 0; i < rows; i++) {
                            to[i] = half(Float.float16ToFloat(OffHeap.getShort(data + 2L * i)));
                        }
                    }
                    case 32 -> {
                        for (int i = 0; i < rows; i++) {
                            to[i] = single(Float.intBitsToFloat(OffHeap.getInt(data + 4L * i)));
                        }
                    }
                    default -> {
                        for (int i = 0; i < rows; i++) {
                            to[i] =
                                    ordered(
                                            Double.longBitsToDouble(
                                                    OffHeap.getLong(data + 8L * i)));
                        }
                    }
                }
            }
            case ColumnType _ -> integers(bytes(type), flip(type), data, rows, to);
        }
    }

    private static void integers(int bytes, long flip, long data, int rows, long[] to) {
        switch (bytes) {
            case 1 -> {
                for (int i = 0; i < rows; i++) {
                    to[i] = OffHeap.getByte(data + i) ^ flip;
                }
            }
            case 2 -> {
                for (int i = 0; i < rows; i++) {
                    to[i] = OffHeap.getShort(data + 2L * i) ^ flip;
                }
            }
            case 4 -> {
                for (int i = 0; i < rows; i++) {
                    to[i] = OffHeap.getInt(data + 4L * i) ^ flip;
                }
            }
            default -> {
                for (int i = 0; i < rows; i++) {
                    to[i] = OffHeap.getLong(data + 8L * i) ^ flip;
                }
            }
        }
    }

    private static long bit(long data, int row) {
        return (OffHeap.getUnsignedByte(data + (row >>> 3)) >>> (row & 7)) & 1L;
    }

    /** Turns the sign's bit round, so that negative numbers come first. */
    private static long flip(ColumnType type) {
        return type instanceof ColumnType.Int(int _, boolean signed) && !signed
                ? 0
                : 1L << ((bytes(type) << 3) - 1);
    }

    /** IEEE 754 numbers order as sign and magnitude. */
    private static long ordered(double value) {
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits ^ (bits >> 63 | Long.MIN_VALUE);
    }

    private static long single(float value) {
        int bits = Float.floatToIntBits(value + 0.0f);
        return bits ^ (bits >> 31 | Integer.MIN_VALUE);
    }

    private static long half(float value) {
        int bits = Float.isNaN(value) ? 0x7e00 : Float.floatToFloat16(value + 0.0f);
        return bits ^ ((short) bits >> 15 | 0x8000);
    }
}
