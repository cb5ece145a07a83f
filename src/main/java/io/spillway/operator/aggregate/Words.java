package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;

/**
 * Values of fixed width as words of 64 bits: integers, dates and times as integers, truth values as
 * 0 and 1, floats of any width as the bits of a float64, decimals as two words.
 */
final class Words {

    private Words() {}

    /** Whether values of a type are words. */
    static boolean holds(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    true;
            case ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    false;
        };
    }

    /** Bytes of a value; 0 for truth values. */
    private static int bytes(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool _ -> 0;
            case ColumnType.Int(int bits, boolean _) -> bits >>> 3;
            case ColumnType.FloatingPoint(int bits) -> bits >>> 3;
            case ColumnType.Date _ -> Integer.BYTES;
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    unit.digits() <= 3 ? Integer.BYTES : Long.BYTES;
            case ColumnType.Timestamp _ -> Long.BYTES;
            case ColumnType.Decimal _ -> 2 * Long.BYTES;
            case ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(type + " is no word");
        };
    }

    /**
     * Loads values of some rows.
     *
     * @param data address of the vector's values
     * @param low the words, or the lower halves, out
     * @param high the upper halves of decimals, out
     */
    static void load(ColumnType type, long data, int[] rows, int count, long[] low, long[] high) {
        switch (type) {
            case ColumnType.Bool _ -> {
                for (int i = 0; i < count; i++) {
                    int row = rows[i];
                    low[i] = OffHeap.getByte(data + (row >>> 3)) >>> (row & 7) & 1L;
                }
            }
            case ColumnType.FloatingPoint(int bits) -> floats(bits, data, rows, count, low);
            case ColumnType.Decimal _ -> {
                for (int i = 0; i < count; i++) {
                    long at = data + 16L * rows[i];
                    low[i] = OffHeap.getLong(at);
                    high[i] = OffHeap.getLong(at + Long.BYTES);
                }
            }
            case ColumnType.Int(int _, boolean signed) ->
                    integers(bytes(type), signed, data, rows, count, low);
            case ColumnType _ -> integers(bytes(type), true, data, rows, count, low);
        }
    }

    private static void floats(int bits, long data, int[] rows, int count, long[] to) {
        switch (bits) {
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    double value = Float.float16ToFloat(OffHeap.getShort(data + 2L * rows[i]));
                    to[i] = Double.doubleToRawLongBits(value);
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    double value = Float.intBitsToFloat(OffHeap.getInt(data + 4L * rows[i]));
                    to[i] = Double.doubleToRawLongBits(value);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getLong(data + 8L * rows[i]);
                }
            }
        }
    }

    private static void integers(
            int bytes, boolean signed, long data, int[] rows, int count, long[] to) {
        switch (bytes) {
            case 1 -> {
                long mask = signed ? -1 : 0xff;
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getByte(data + rows[i]) & mask;
                }
            }
            case 2 -> {
                long mask = signed ? -1 : 0xffff;
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getShort(data + 2L * rows[i]) & mask;
                }
            }
            case 4 -> {
                long mask = signed ? -1 : 0xffff_ffffL;
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getInt(data + 4L * rows[i]) & mask;
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getLong(data + 8L * rows[i]);
                }
            }
        }
    }

    /**
     * Writes a value.
     *
     * @param data address of a vector's values, whose bits are zero
     */
    static void store(ColumnType type, long data, int row, long low, long high) {
        switch (type) {
            case ColumnType.Bool _ -> {
                long at = data + (row >>> 3);
                OffHeap.putByte(at, (byte) (OffHeap.getByte(at) | low << (row & 7)));
            }
            case ColumnType.FloatingPoint(int bits) -> {
                double value = Double.longBitsToDouble(low);
                switch (bits) {
                    case 16 ->
                            OffHeap.putShort(data + 2L * row, Float.floatToFloat16((float) value));
                    case 32 -> OffHeap.putInt(data + 4L * row, Float.floatToIntBits((float) value));
                    default -> OffHeap.putLong(data + 8L * row, Double.doubleToLongBits(value));
                }
            }
            case ColumnType.Decimal _ -> {
                OffHeap.putLong(data + 16L * row, low);
                OffHeap.putLong(data + 16L * row + Long.BYTES, high);
            }
            case ColumnType _ -> {
                switch (bytes(type)) {
                    case 1 -> OffHeap.putByte(data + row, (byte) low);
                    case 2 -> OffHeap.putShort(data + 2L * row, (short) low);
                    case 4 -> OffHeap.putInt(data + 4L * row, (int) low);
                    default -> OffHeap.putLong(data + 8L * row, low);
                }
            }
        }
    }
}
