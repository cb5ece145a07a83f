package io.spillway.sink.parquet;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.batch.OffHeap;
import io.spillway.encode.Utf8Memory;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/**
 * Values of a leaf, from a vector to a column writer. Numbers and values of fixed length make no
 * object each; texts make a short-lived one each, since parquet-java takes them as no less, but
 * those of a dictionary one an entry.
 */
final class LeafValues {

    private static final long MILLIS = 1_000;
    private static final int INT32_DIGITS = 9;
    private static final int INT64_DIGITS = 18;

    /** Writes the value at a position of the vector that it was made for. */
    private interface Value {
        void write(ColumnWriter writer, int position, int repetition, int definition);
    }

    private final ColumnType type;
    private final Utf8Memory utf8 = new Utf8Memory();

    /** Copies of what is to be written; the writers copy what they keep. */
    private byte[] bytes = {};

    // Of the dictionary in hand.
    private @Nullable FieldVector dictionary;
    private @Nullable Binary[] entries = {};

    LeafValues(ColumnType type) {
        this.type = type;
    }

    /** The position of the first text that is not UTF-8, or -1. */
    int firstInvalid(FieldVector vector) {
        return type instanceof ColumnType.Utf8 && vector.getValueCount() > 0
                ? utf8.firstInvalid(
                        vector.getOffsetBuffer().memoryAddress(),
                        vector.getValueCount(),
                        vector.getDataBuffer().memoryAddress())
                : -1;
    }

    /** The same of a dictionary, which is written from then on; looked for once. */
    @SuppressWarnings("ReferenceEquality") // which dictionary it is matters, not what it holds
    int firstInvalidEntry(FieldVector values) {
        if (dictionary == values) {
            return -1;
        }
        int invalid = firstInvalid(values);
        if (invalid < 0) {
            dictionary = values;
            entries = new Binary[isText() ? values.getValueCount() : 0];
        }
        return invalid;
    }

    private boolean isText() {
        return type instanceof ColumnType.Utf8 || type instanceof ColumnType.Binary;
    }

    /** Writes entries of a dictionary, {@linkplain #firstInvalidEntry looked over} before. */
    void writeDictionary(FieldVector values, Levels levels, ColumnWriter writer) {
        write(levels, writer, isText() ? entry(values) : value(values, levels));
    }

    void write(FieldVector vector, Levels levels, ColumnWriter writer) {
        write(levels, writer, value(vector, levels));
    }

    private static void write(Levels levels, ColumnWriter writer, Value value) {
        int[] positions = levels.position;
        int[] repetitions = levels.repetition;
        int[] definitions = levels.definition;
        for (int i = 0; i < levels.count; i++) {
            if (positions[i] == Levels.NONE) {
                writer.writeNull(repetitions[i], definitions[i]);
            } else {
                value.write(writer, positions[i], repetitions[i], definitions[i]);
            }
        }
    }

    private Value value(FieldVector vector, Levels levels) {
        long data = vector.getDataBuffer().memoryAddress();
        return switch (type) {
            case ColumnType.Bool() ->
                    (w, p, r, d) ->
                            w.write((OffHeap.getByte(data + (p >>> 3)) >>> (p & 7) & 1) != 0, r, d);
            case ColumnType.Int(int bits, boolean signed) -> integer(data, bits, signed);
            case ColumnType.FloatingPoint(int bits) ->
                    switch (bits) {
                        case 16 -> fixed(data, Short.BYTES);
                        case 32 ->
                                (w, p, r, d) ->
                                        w.write(
                                                Float.intBitsToFloat(OffHeap.getInt(data + 4L * p)),
                                                r,
                                                d);
                        default ->
                                (w, p, r, d) ->
                                        w.write(
                                                Double.longBitsToDouble(
                                                        OffHeap.getLong(data + 8L * p)),
                                                r,
                                                d);
                    };
            case ColumnType.Decimal(int precision, int _) -> decimal(data, precision);
            case ColumnType.Utf8(), ColumnType.Binary() -> text(vector, levels);
            case ColumnType.FixedBinary(int width) -> fixed(data, width);
            case ColumnType.Date() -> int32(data);
            case ColumnType.Time(TimeUnit unit) ->
                    switch (unit) {
                        case SECOND ->
                                (w, p, r, d) ->
                                        w.write(
                                                Math.toIntExact(
                                                        OffHeap.getInt(data + 4L * p) * MILLIS),
                                                r,
                                                d);
                        case MILLI -> int32(data);
                        case MICRO, NANO -> int64(data);
                    };
            case ColumnType.Timestamp(TimeUnit unit, boolean _) ->
                    unit == TimeUnit.SECOND ? seconds(data) : int64(data);
            case ColumnType.Struct _, ColumnType.ListOf _, ColumnType.MapOf _ ->
                    throw new IllegalStateException(type + " is no leaf");
        };
    }

    private static Value integer(long data, int bits, boolean signed) {
        return switch (bits) {
            case 8 ->
                    signed
                            ? (w, p, r, d) -> w.write((int) OffHeap.getByte(data + p), r, d)
                            : (w, p, r, d) -> w.write(OffHeap.getUnsignedByte(data + p), r, d);
            case 16 ->
                    signed
                            ? (w, p, r, d) -> w.write((int) OffHeap.getShort(data + 2L * p), r, d)
                            : (w, p, r, d) ->
                                    w.write(OffHeap.getShort(data + 2L * p) & 0xFFFF, r, d);
            case 32 -> int32(data);
            default -> int64(data);
        };
    }

    private static Value int32(long data) {
        return (w, p, r, d) -> w.write(OffHeap.getInt(data + 4L * p), r, d);
    }

    private static Value int64(long data) {
        return (w, p, r, d) -> w.write(OffHeap.getLong(data + 8L * p), r, d);
    }

    private static Value seconds(long data) {
        return (w, p, r, d) -> {
            long seconds = OffHeap.getLong(data + 8L * p);
            if (Math.multiplyHigh(seconds, MILLIS) != (seconds * MILLIS) >> 63) {
                throw new SpillwayException(
                        ErrorCode.ARITHMETIC_OVERFLOW,
                        "The timestamp of %d seconds does not fit in milliseconds, Parquet's largest unit"
                                .formatted(seconds));
            }
            w.write(seconds * MILLIS, r, d);
        };
    }

    private static Value decimal(long data, int precision) {
        int width = DecimalVector.TYPE_WIDTH;
        if (precision <= INT32_DIGITS) {
            return (w, p, r, d) -> w.write(OffHeap.getInt(data + (long) width * p), r, d);
        }
        if (precision <= INT64_DIGITS) {
            return (w, p, r, d) -> w.write(OffHeap.getLong(data + (long) width * p), r, d);
        }
        byte[] value = new byte[ParquetSchemas.decimalBytes(precision)];
        Binary reused = Binary.fromReusedByteArray(value);
        return (w, p, r, d) -> {
            long at = data + (long) width * p;
            for (int i = 0; i < value.length; i++) {
                value[value.length - 1 - i] = OffHeap.getByte(at + i);
            }
            w.write(reused, r, d);
        };
    }

    private static Value fixed(long data, int width) {
        byte[] value = new byte[width];
        Binary reused = Binary.fromReusedByteArray(value);
        return (w, p, r, d) -> {
            OffHeap.read(data + (long) width * p, value, 0, width);
            w.write(reused, r, d);
        };
    }

    /** Texts are copied together, those of all positions that are written. */
    private Value text(FieldVector vector, Levels levels) {
        int first = Integer.MAX_VALUE;
        int last = -1;
        for (int i = 0; i < levels.count; i++) {
            int position = levels.position[i];
            if (position != Levels.NONE) {
                first = Math.min(first, position);
                last = Math.max(last, position);
            }
        }
        if (last < 0) {
            return (w, p, r, d) -> {
                throw new IllegalStateException("there are no values");
            };
        }
        long offsets = vector.getOffsetBuffer().memoryAddress();
        int start = offset(offsets, first);
        int length = offset(offsets, last + 1) - start;
        if (bytes.length < length) {
            bytes = new byte[Math.max(length, (int) Math.min(2L * bytes.length, 1 << 30))];
        }
        OffHeap.read(vector.getDataBuffer().memoryAddress() + start, bytes, 0, length);
        byte[] copied = bytes;
        return (w, p, r, d) -> {
            int from = offset(offsets, p);
            w.write(
                    Binary.fromReusedByteArray(copied, from - start, offset(offsets, p + 1) - from),
                    r,
                    d);
        };
    }

    private Value entry(FieldVector values) {
        long offsets = values.getOffsetBuffer().memoryAddress();
        long data = values.getDataBuffer().memoryAddress();
        return (w, p, r, d) -> {
            Binary entry = entries[p];
            if (entry == null) {
                int from = offset(offsets, p);
                byte[] value = new byte[offset(offsets, p + 1) - from];
                OffHeap.read(data + from, value, 0, value.length);
                entry = Binary.fromConstantByteArray(value);
                entries[p] = entry;
            }
            w.write(entry, r, d);
        };
    }

    private static int offset(long offsets, int index) {
        return OffHeap.getInt(offsets + (long) Integer.BYTES * index);
    }
}
