package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Literals, one a row, as a plain column. */
public final class LiteralColumn {

    private LiteralColumn() {}

    /**
     * A column of literals.
     *
     * @param type of the column
     * @param literals of that type, NULLs among them
     * @return owned by the caller
     * @throws io.spillway.error.SpillwayException {@code INVALID_EXPRESSION} if a literal's text is
     *     not of the type
     */
    public static ColumnVector of(
            ColumnType type, List<Expression.Literal> literals, BufferAllocator allocator) {
        Field field = Vectors.field(type);
        return new ColumnVector.Plain(
                switch (type) {
                    case ColumnType.Utf8 _, ColumnType.Binary _ ->
                            bytes(field, literals, allocator);
                    case ColumnType.FixedBinary(int width) ->
                            fixedBytes(field, width, literals, allocator);
                    case ColumnType.Bool _,
                            ColumnType.Int _,
                            ColumnType.FloatingPoint _,
                            ColumnType.Decimal _,
                            ColumnType.Date _,
                            ColumnType.Time _,
                            ColumnType.Timestamp _ ->
                            slots(field, type, literals, allocator);
                    case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                            nulls(field, literals, allocator);
                });
    }

    /** Nested types have no literals but NULL. */
    private static FieldVector nulls(
            Field field, List<Expression.Literal> literals, BufferAllocator allocator) {
        literals.forEach(Literals::parse);
        return Vectors.nulls(field, literals.size(), allocator);
    }

    private static FieldVector bytes(
            Field field, List<Expression.Literal> literals, BufferAllocator allocator) {
        try (BytesOutput out =
                new BytesOutput(field, literals.size(), 16L * literals.size(), allocator)) {
            Bits.fill(out.validity(), literals.size(), true);
            for (int row = 0; row < literals.size(); row++) {
                if (Literals.parse(literals.get(row)) instanceof Constant.Bytes(byte[] value)) {
                    out.append(value, value.length);
                } else {
                    Bits.clear(out.validity(), row);
                    out.end(0);
                }
            }
            return out.take();
        }
    }

    private static FieldVector fixedBytes(
            Field field, int width, List<Expression.Literal> literals, BufferAllocator allocator) {
        try (FixedOutput out = new FixedOutput(field, literals.size(), allocator)) {
            Bits.fill(out.validity(), literals.size(), true);
            OffHeap.zero(out.data(), (long) width * literals.size());
            for (int row = 0; row < literals.size(); row++) {
                if (Literals.parse(literals.get(row)) instanceof Constant.Bytes(byte[] value)) {
                    OffHeap.write(value, 0, out.data() + (long) width * row, width);
                } else {
                    Bits.clear(out.validity(), row);
                }
            }
            return out.take();
        }
    }

    private static FieldVector slots(
            Field field,
            ColumnType type,
            List<Expression.Literal> literals,
            BufferAllocator allocator) {
        try (FixedOutput out = new FixedOutput(field, literals.size(), allocator)) {
            Bits.fill(out.validity(), literals.size(), true);
            for (int row = 0; row < literals.size(); row++) {
                if (Literals.parse(literals.get(row))
                        instanceof Constant.Fixed(long low, long high)) {
                    Slots.put(type, out.data(), row, low, high);
                } else {
                    Bits.clear(out.validity(), row);
                    Slots.put(type, out.data(), row, 0, 0);
                }
            }
            return out.take();
        }
    }
}
