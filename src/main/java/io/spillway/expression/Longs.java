package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/**
 * Blocks of truth values, integers, dates, times and timestamps as 64-bit integers. Unsigned 64-bit
 * integers keep their bits.
 */
final class Longs {

    private Longs() {}

    static boolean handles(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    true;
            case ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    false;
        };
    }

    /** Reads {@code count} values from row {@code from} on into the front of {@code to}. */
    static void load(FieldVector vector, ColumnType type, int from, int count, long[] to) {
        long data = Vectors.data(vector);
        switch (type) {
            case ColumnType.Bool() -> {
                for (int i = 0; i < count; i++) {
                    to[i] = Bits.get(data, from + i) ? 1 : 0;
                }
            }
            case ColumnType.Int(int bits, boolean signed) ->
                    loadInts(data, bits, signed, from, count, to);
            case ColumnType.Date() -> loadInts(data, 32, true, from, count, to);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    loadInts(data, unit.digits() <= 3 ? 32 : 64, true, from, count, to);
            case ColumnType.Timestamp _ -> loadInts(data, 64, true, from, count, to);
            case ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw notAnInteger(type);
        }
    }

    private static void loadInts(
            long data, int bits, boolean signed, int from, int count, long[] to) {
        long at = data + (long) (bits >>> 3) * from;
        switch (bits) {
            case 8 -> {
                long mask = signed ? -1 : 0xff;
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getByte(at + i) & mask;
                }
            }
            case 16 -> {
                long mask = signed ? -1 : 0xffff;
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getShort(at + 2L * i) & mask;
                }
            }
            case 32 -> {
                long mask = signed ? -1 : 0xffff_ffffL;
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getInt(at + 4L * i) & mask;
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[i] = OffHeap.getLong(at + 8L * i);
                }
            }
        }
    }

    /** Writes the front of {@code values} to rows {@code from} and on; narrow types wrap. */
    static void store(ColumnType type, long data, int from, int count, long[] values) {
        switch (type) {
            case ColumnType.Bool() -> {
                for (int i = 0; i < count; i++) {
                    Slots.put(type, data, from + i, values[i], 0);
                }
            }
            case ColumnType.Int(int bits, boolean _) -> storeInts(bits, data, from, count, values);
            case ColumnType.Date() -> storeInts(32, data, from, count, values);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    storeInts(unit.digits() <= 3 ? 32 : 64, data, from, count, values);
            case ColumnType.Timestamp _ -> storeInts(64, data, from, count, values);
            case ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw notAnInteger(type);
        }
    }

    private static void storeInts(int bits, long data, int from, int count, long[] values) {
        long at = data + (long) (bits >>> 3) * from;
        switch (bits) {
            case 8 -> {
                for (int i = 0; i < count; i++) {
                    OffHeap.putByte(at + i, (byte) values[i]);
                }
            }
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    OffHeap.putShort(at + 2L * i, (short) values[i]);
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    OffHeap.putInt(at + 4L * i, (int) values[i]);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    OffHeap.putLong(at + 8L * i, values[i]);
                }
            }
        }
    }

    private static IllegalArgumentException notAnInteger(ColumnType type) {
        return new IllegalArgumentException(type + " is not held as an integer");
    }
}
