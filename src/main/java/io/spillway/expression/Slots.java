package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;

/** Single values of fixed-width columns other than bytes, as {@link Constant.Fixed} holds them. */
final class Slots {

    private Slots() {}

    /** Writes one value; {@code high} counts for decimals only. */
    static void put(ColumnType type, long data, int row, long low, long high) {
        switch (type) {
            case ColumnType.Bool() -> {
                if (low != 0) {
                    Bits.set(data, row);
                } else {
                    Bits.clear(data, row);
                }
            }
            case ColumnType.Int(int bits, boolean _) -> putInt(bits, data, row, low);
            case ColumnType.FloatingPoint(int bits) ->
                    putFloat(bits, data, row, Double.longBitsToDouble(low));
            case ColumnType.Decimal _ -> {
                OffHeap.putLong(data + 16L * row, low);
                OffHeap.putLong(data + 16L * row + 8, high);
            }
            case ColumnType.Date() -> putInt(32, data, row, low);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    putInt(unit.digits() <= 3 ? 32 : 64, data, row, low);
            case ColumnType.Timestamp _ -> putInt(64, data, row, low);
            case ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(type + " has no fixed slot");
        }
    }

    private static void putInt(int bits, long data, int row, long value) {
        switch (bits) {
            case 8 -> OffHeap.putByte(data + row, (byte) value);
            case 16 -> OffHeap.putShort(data + 2L * row, (short) value);
            case 32 -> OffHeap.putInt(data + 4L * row, (int) value);
            default -> OffHeap.putLong(data + 8L * row, value);
        }
    }

    private static void putFloat(int bits, long data, int row, double value) {
        switch (bits) {
            case 16 -> OffHeap.putShort(data + 2L * row, Float.floatToFloat16((float) value));
            case 32 -> OffHeap.putInt(data + 4L * row, Float.floatToRawIntBits((float) value));
            default -> OffHeap.putLong(data + 8L * row, Double.doubleToRawLongBits(value));
        }
    }
}
