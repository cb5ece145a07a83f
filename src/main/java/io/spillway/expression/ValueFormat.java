package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.math.BigDecimal;
import java.util.HexFormat;
import org.apache.arrow.vector.FieldVector;

/**
 * Values as SQL text, as CAST gives it: {@code true}; {@code 2500.00} with every digit of the
 * scale; {@code 0.1}, {@code 1e+20}, {@code NaN}, {@code Infinity}; {@code 2026-03-08}; {@code
 * 02:30:00.5}; {@code 2026-03-08 02:30:00}, with {@code +00} behind it if it is UTC. Fractions of
 * seconds have as many digits as they need. Without objects but for floats and decimals beyond 64
 * bits.
 */
final class ValueFormat {

    private ValueFormat() {}

    static void append(ColumnType type, FieldVector vector, int row, TextBuilder out) {
        long data = Vectors.data(vector);
        switch (type) {
            case ColumnType.Bool() -> out.append(Bits.get(data, row) ? "true" : "false");
            case ColumnType.Int(int bits, boolean signed) ->
                    integer(integer(data, bits, signed, row), signed, out);
            case ColumnType.FloatingPoint(int bits) ->
                    FloatFormat.append(
                            switch (bits) {
                                case 16 ->
                                        Float.toString(
                                                Float.float16ToFloat(
                                                        OffHeap.getShort(data + 2L * row)));
                                case 32 ->
                                        Float.toString(
                                                Float.intBitsToFloat(
                                                        OffHeap.getInt(data + 4L * row)));
                                default ->
                                        Double.toString(
                                                Double.longBitsToDouble(
                                                        OffHeap.getLong(data + 8L * row)));
                            },
                            out);
            case ColumnType.Decimal(int _, int scale) -> decimal(data + 16L * row, scale, out);
            case ColumnType.Utf8() -> {
                BytesReader reader = new BytesReader(vector);
                out.append(reader.address(row), reader.length(row));
            }
            case ColumnType.Binary _, ColumnType.FixedBinary _ -> {
                BytesReader reader = new BytesReader(vector);
                byte[] bytes = new byte[reader.length(row)];
                OffHeap.read(reader.address(row), bytes, 0, bytes.length);
                out.append(HexFormat.of().formatHex(bytes));
            }
            case ColumnType.Date() -> date(OffHeap.getInt(data + 4L * row), out);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    time(integer(data, unit.digits() <= 3 ? 32 : 64, true, row), unit, out);
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean utc) -> {
                long day = Civil.SECONDS_PER_DAY * unit.perSecond();
                long value = OffHeap.getLong(data + 8L * row);
                date(Math.floorDiv(value, day), out);
                out.append(' ');
                time(Math.floorMod(value, day), unit, out);
                if (utc) {
                    out.append("+00");
                }
            }
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    throw Failures.unsupported("There is no SQL text of " + type);
        }
    }

    private static long integer(long data, int bits, boolean signed, int row) {
        return switch (bits) {
            case 8 -> signed ? OffHeap.getByte(data + row) : OffHeap.getByte(data + row) & 0xffL;
            case 16 -> {
                short value = OffHeap.getShort(data + 2L * row);
                yield signed ? value : value & 0xffffL;
            }
            case 32 -> {
                int value = OffHeap.getInt(data + 4L * row);
                yield signed ? value : value & 0xffff_ffffL;
            }
            default -> OffHeap.getLong(data + 8L * row);
        };
    }

    private static void integer(long value, boolean signed, TextBuilder out) {
        boolean negative = signed && value < 0;
        if (negative) {
            out.append('-');
        }
        out.digits(negative ? -value : value, 1);
    }

    private static void decimal(long address, int scale, TextBuilder out) {
        Int128 unscaled = new Int128();
        unscaled.load(address);
        if (!unscaled.isLong() || scale > 18) {
            out.append(new BigDecimal(unscaled.toBigInteger(), scale).toPlainString());
            return;
        }
        if (unscaled.low() < 0) {
            out.append('-');
            unscaled.negate();
        }
        long unit = Int128.power(scale);
        out.digits(Long.divideUnsigned(unscaled.low(), unit), 1);
        if (scale > 0) {
            out.append('.').digits(Long.remainderUnsigned(unscaled.low(), unit), scale);
        }
    }

    private static void date(long epochDay, TextBuilder out) {
        Civil civil = new Civil();
        civil.set(epochDay);
        if (civil.year() < 0) {
            out.append('-');
        }
        out.digits(Math.abs(civil.year()), 4);
        out.append('-').digits(civil.month(), 2);
        out.append('-').digits(civil.day(), 2);
    }

    private static void time(long sinceMidnight, ColumnType.TimeUnit unit, TextBuilder out) {
        long seconds = Math.floorDiv(sinceMidnight, unit.perSecond());
        long fraction = Math.floorMod(sinceMidnight, unit.perSecond());
        out.digits(seconds / 3600, 2);
        out.append(':').digits(seconds / 60 % 60, 2);
        out.append(':').digits(seconds % 60, 2);
        if (fraction != 0) {
            int width = unit.digits();
            while (fraction % 10 == 0) {
                fraction /= 10;
                width--;
            }
            out.append('.').digits(fraction, width);
        }
    }
}
