package io.spillway.scan.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Chooses the decoder for a column. */
final class ValueDecoders {

    private ValueDecoders() {}

    /**
     * @param physical how values stand in pages
     * @param typeLength bytes of a value, for {@code FIXED_LEN_BYTE_ARRAY}
     */
    static ValueDecoder of(
            ColumnSchema column,
            PrimitiveTypeName physical,
            int typeLength,
            BufferAllocator allocator,
            Place place) {
        Field field = column.toArrow();
        boolean decimal = column.type() instanceof ColumnType.Decimal;
        return switch (physical) {
            case BOOLEAN -> new BooleanDecoder(field, allocator, place);
            case INT32 -> new FixedDecoder(field, allocator, int32(column.type()));
            case INT64 ->
                    new FixedDecoder(
                            field,
                            allocator,
                            decimal
                                    ? new Conversion.IntegerDecimal(Long.BYTES)
                                    : new Conversion.Copy(Long.BYTES));
            case FLOAT -> new FixedDecoder(field, allocator, new Conversion.Copy(Float.BYTES));
            case DOUBLE -> new FixedDecoder(field, allocator, new Conversion.Copy(Double.BYTES));
            case FIXED_LEN_BYTE_ARRAY ->
                    new FixedDecoder(
                            field,
                            allocator,
                            decimal
                                    ? new Conversion.FixedDecimal(typeLength)
                                    : new Conversion.Copy(typeLength));
            case BINARY ->
                    decimal
                            ? new FixedDecoder(field, allocator, new Conversion.BytesDecimal())
                            : new BytesDecoder(field, allocator, place);
            case INT96 -> throw place.notSupported("An INT96 timestamp");
        };
    }

    private static Conversion int32(ColumnType type) {
        return switch (type) {
            case ColumnType.Decimal _ -> new Conversion.IntegerDecimal(Integer.BYTES);
            case ColumnType.Int i when i.bits() < Integer.SIZE ->
                    new Conversion.Narrow(i.bits() / Byte.SIZE);
            default -> new Conversion.Copy(Integer.BYTES);
        };
    }
}
