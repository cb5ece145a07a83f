package io.spillway.expression;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.testing.NestedValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.jspecify.annotations.Nullable;

/**
 * Columns from Java values and back: Boolean, BigInteger (integers, dates, times, timestamps),
 * Double, BigDecimal, String (text as it is, bytes as hex digits) and null; nested values as {@link
 * NestedValues} has them.
 */
public final class TestValues {

    private TestValues() {}

    public static Expression.Literal literal(ColumnType type, @Nullable Object value) {
        String text =
                switch (value) {
                    case null -> null;
                    case BigDecimal decimal -> decimal.toPlainString();
                    default -> value.toString();
                };
        return new Expression.Literal(type, text);
    }

    public static ColumnVector plain(
            ColumnType type, List<? extends @Nullable Object> values, BufferAllocator allocator) {
        if (type.isNested()) {
            return nested(type, values, null, allocator);
        }
        List<Expression.Literal> literals = new ArrayList<>();
        for (Object value : values) {
            literals.add(literal(type, value));
        }
        return LiteralColumn.of(type, literals, allocator);
    }

    /** Nested values, perhaps with others under nulls. */
    public static ColumnVector nested(
            ColumnType type,
            List<? extends @Nullable Object> values,
            NestedValues.@Nullable Hidden hidden,
            BufferAllocator allocator) {
        return new ColumnVector.Plain(
                NestedValues.vector(
                        new ColumnSchema("nested", type, true),
                        values,
                        (leaf, of, from) -> vector(plain(leaf, of, from)),
                        hidden,
                        allocator));
    }

    /** The same values by indices into a dictionary with repeats and entries that no row uses. */
    public static ColumnVector encoded(
            ColumnType type,
            List<? extends @Nullable Object> values,
            List<?> unused,
            Random random,
            BufferAllocator allocator) {
        List<Object> entries = new ArrayList<>(unused);
        for (Object value : values) {
            if (value != null && (!entries.contains(value) || random.nextInt(10) == 0)) {
                entries.add(value);
            }
        }
        IntVector indices = new IntVector("indices", allocator);
        indices.allocateNew(values.size());
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            if (value == null) {
                indices.setNull(i);
                indices.getDataBuffer().setInt(4L * i, 1 << 30); // undefined for nulls
            } else {
                indices.set(i, entries.lastIndexOf(value));
            }
        }
        indices.setValueCount(values.size());
        return new ColumnVector.Encoded(
                indices, new Dictionary(vector(plain(type, entries, allocator))));
    }

    public static FieldVector vector(ColumnVector column) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded _ -> throw new IllegalArgumentException("encoded");
        };
    }

    public static RowSchema schema(ColumnType... types) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnType type : types) {
            columns.add(new ColumnSchema("c" + columns.size(), type, true));
        }
        return new RowSchema(columns);
    }

    public static RecordBatch batch(
            BufferAllocator allocator, ColumnType type, @Nullable Object... values) {
        List<@Nullable Object> list = new ArrayList<>();
        for (Object value : values) {
            list.add(value);
        }
        return new RecordBatch(schema(type), List.of(plain(type, list, allocator)), values.length);
    }

    /** The values of a column in any form, read through Arrow's own accessors. */
    public static List<@Nullable Object> values(ColumnType type, ColumnVector column) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < column.size(); i++) {
            values.add(
                    switch (column) {
                        case ColumnVector.Plain(FieldVector vector) ->
                                vector.isNull(i) ? null : value(type, vector, i);
                        case ColumnVector.Encoded(IntVector indices, Dictionary dictionary) ->
                                indices.isNull(i)
                                        ? null
                                        : value(type, dictionary.values(), indices.get(i));
                    });
        }
        return values;
    }

    private static Object value(ColumnType type, FieldVector vector, int row) {
        if (type.isNested()) {
            return Objects.requireNonNull(NestedValues.read(type, vector, row, TestValues::value));
        }
        ArrowBuf data = vector.getDataBuffer();
        return switch (type) {
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(type.toString());
            case ColumnType.Bool() -> (data.getByte(row / 8) >> (row % 8) & 1) != 0;
            case ColumnType.Int(int bits, boolean signed) -> integer(data, bits, signed, row);
            case ColumnType.FloatingPoint(int bits) ->
                    switch (bits) {
                        case 16 -> (double) Float.float16ToFloat(data.getShort(2L * row));
                        case 32 -> (double) data.getFloat(4L * row);
                        default -> data.getDouble(8L * row);
                    };
            case ColumnType.Decimal _, ColumnType.Utf8 _ ->
                    vector.getObject(row) instanceof BigDecimal decimal
                            ? decimal
                            : vector.getObject(row).toString();
            case ColumnType.Binary _, ColumnType.FixedBinary _ ->
                    HexFormat.of().formatHex((byte[]) vector.getObject(row));
            case ColumnType.Date() -> integer(data, 32, true, row);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    integer(data, unit.digits() <= 3 ? 32 : 64, true, row);
            case ColumnType.Timestamp _ -> integer(data, 64, true, row);
        };
    }

    private static BigInteger integer(ArrowBuf data, int bits, boolean signed, int row) {
        long value =
                switch (bits) {
                    case 8 -> data.getByte(row);
                    case 16 -> data.getShort(2L * row);
                    case 32 -> data.getInt(4L * row);
                    default -> data.getLong(8L * row);
                };
        BigInteger number = BigInteger.valueOf(value);
        return signed || value >= 0 ? number : number.add(BigInteger.ONE.shiftLeft(bits));
    }

    public static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }
}
