package io.spillway.scan.parquet.value;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.Conversion;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Chooses the decoder for a column. */
public final class ValueDecoders {

    private ValueDecoders() {}

    /**
     * @param physical how values stand in pages
     * @param typeLength bytes of a value, for {@code FIXED_LEN_BYTE_ARRAY}
     */
    public static ValueDecoder of(
            ColumnSchema column,
            PrimitiveTypeName physical,
            int typeLength,
            BufferAllocator allocator,
            Place place) {
        Field field = column.toArrow();
        return switch (physical) {
            case BOOLEAN -> new BooleanDecoder(field, allocator, place);
            case BINARY ->
                    column.type() instanceof ColumnType.Decimal
                            ? new FixedDecoder(
                                    field, allocator, new BytesDecimals(allocator, place))
                            : new BytesDecoder(
                                    field,
                                    allocator,
                                    place,
                                    e -> ByteArrays.of(e, allocator, place));
            case INT96 ->
                    column.type() instanceof ColumnType.Utf8
                            ? new BytesDecoder(
                                    field, allocator, place, e -> int96Texts(e, allocator, place))
                            : fixed(column, physical, typeLength, allocator, place);
            case INT32, INT64, FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY ->
                    fixed(column, physical, typeLength, allocator, place);
        };
    }

    private static ValueDecoder fixed(
            ColumnSchema column,
            PrimitiveTypeName physical,
            int typeLength,
            BufferAllocator allocator,
            Place place) {
        Conversion conversion = conversion(column.type(), physical, typeLength, place);
        return new FixedDecoder(
                column.toArrow(), allocator, new ConvertedValues(physical, conversion, allocator));
    }

    private static ByteArrays int96Texts(
            Encoding encoding, BufferAllocator allocator, Place place) {
        if (encoding != Encoding.PLAIN) {
            throw place.notSupported("Encoding " + encoding + " of INT96");
        }
        return new Int96Texts(allocator);
    }

    private static Conversion conversion(
            ColumnType type, PrimitiveTypeName physical, int typeLength, Place place) {
        boolean decimal = type instanceof ColumnType.Decimal;
        return switch (physical) {
            case INT32 -> int32(type);
            case INT64 ->
                    decimal
                            ? new Conversion.IntegerDecimal(Long.BYTES)
                            : new Conversion.Copy(Long.BYTES);
            case FIXED_LEN_BYTE_ARRAY ->
                    decimal
                            ? new Conversion.FixedDecimal(typeLength, place)
                            : new Conversion.Copy(typeLength);
            case FLOAT -> new Conversion.Copy(Float.BYTES);
            case DOUBLE -> new Conversion.Copy(Double.BYTES);
            case INT96 -> new Conversion.Int96Timestamp(int96Nanos(type), place);
            case BOOLEAN, BINARY -> throw new IllegalArgumentException(physical.name());
        };
    }

    private static long int96Nanos(ColumnType type) {
        return switch (type) {
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean _) ->
                    ColumnType.TimeUnit.NANO.perSecond() / unit.perSecond();
            default -> throw new IllegalArgumentException(type.toString());
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
