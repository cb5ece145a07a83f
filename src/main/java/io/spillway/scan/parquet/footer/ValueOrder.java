package io.spillway.scan.parquet.footer;

import io.spillway.batch.ColumnType;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * By what order a column's least and greatest values are the least and greatest. What a file
 * declares is compared with how its column is read: where the two differ, bounds say nothing.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/LogicalTypes.md">The sort
 *     orders of Parquet's types</a>
 */
public enum ValueOrder {
    /** None, or none that is known. */
    UNDEFINED,
    /** Two's complement integers, dates and times, and truth values. */
    SIGNED,
    UNSIGNED,
    /** Floats; NaN stands outside. */
    FLOATING,
    /** Unsigned bytes, the first one first. */
    BYTES,
    /** Two's complement numbers of any length, the highest byte first. */
    BIG_ENDIAN;

    /** The order that a leaf of a schema declares. */
    public static ValueOrder declared(SchemaElement leaf) {
        Annotation annotation = annotation(leaf);
        return switch (leaf.getType()) {
            case BOOLEAN -> annotation == Annotation.NONE ? SIGNED : UNDEFINED;
            case INT32, INT64 ->
                    switch (annotation) {
                        case NONE, SIGNED_NUMBER, DECIMAL -> SIGNED;
                        case UNSIGNED_NUMBER -> UNSIGNED;
                        case TEXT, UUID, FLOAT16, OTHER -> UNDEFINED;
                    };
            case FLOAT, DOUBLE -> annotation == Annotation.NONE ? FLOATING : UNDEFINED;
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY ->
                    switch (annotation) {
                        case NONE, TEXT, UUID -> BYTES;
                        case DECIMAL -> BIG_ENDIAN;
                        case FLOAT16 -> FLOATING;
                        case SIGNED_NUMBER, UNSIGNED_NUMBER, OTHER -> UNDEFINED;
                    };
            case INT96 -> UNDEFINED;
            case null -> UNDEFINED;
        };
    }

    private enum Annotation {
        NONE,
        SIGNED_NUMBER,
        UNSIGNED_NUMBER,
        DECIMAL,
        TEXT,
        UUID,
        FLOAT16,
        OTHER
    }

    private static Annotation annotation(SchemaElement leaf) {
        LogicalType logical = leaf.getLogicalType();
        if (logical != null) {
            return logical(logical);
        }
        return leaf.isSetConverted_type() ? converted(leaf.getConverted_type()) : Annotation.NONE;
    }

    private static Annotation logical(LogicalType type) {
        return switch (type.getSetField()) {
            case STRING, ENUM, JSON, BSON -> Annotation.TEXT;
            case DECIMAL -> Annotation.DECIMAL;
            case INTEGER ->
                    type.getINTEGER().isIsSigned()
                            ? Annotation.SIGNED_NUMBER
                            : Annotation.UNSIGNED_NUMBER;
            case DATE, TIME, TIMESTAMP -> Annotation.SIGNED_NUMBER;
            case UUID -> Annotation.UUID;
            case FLOAT16 -> Annotation.FLOAT16;
            case null, default -> Annotation.OTHER;
        };
    }

    private static Annotation converted(@Nullable ConvertedType type) {
        return switch (type) {
            case UTF8, ENUM, JSON, BSON -> Annotation.TEXT;
            case DECIMAL -> Annotation.DECIMAL;
            case INT_8,
                    INT_16,
                    INT_32,
                    INT_64,
                    DATE,
                    TIME_MILLIS,
                    TIME_MICROS,
                    TIMESTAMP_MILLIS,
                    TIMESTAMP_MICROS ->
                    Annotation.SIGNED_NUMBER;
            case UINT_8, UINT_16, UINT_32, UINT_64 -> Annotation.UNSIGNED_NUMBER;
            case null, default -> Annotation.OTHER;
        };
    }

    /** The order of the values that a leaf is read as. */
    public static ValueOrder of(ColumnNode.Leaf leaf) {
        PrimitiveTypeName physical = leaf.physical();
        if (physical == PrimitiveTypeName.INT96) {
            return UNDEFINED;
        }
        boolean bytes =
                physical == PrimitiveTypeName.BINARY
                        || physical == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
        return switch (leaf.field().type()) {
            case ColumnType.Bool _, ColumnType.Date _, ColumnType.Time _, ColumnType.Timestamp _ ->
                    SIGNED;
            case ColumnType.Int(int _, boolean signed) -> signed ? SIGNED : UNSIGNED;
            case ColumnType.FloatingPoint _ -> FLOATING;
            case ColumnType.Decimal _ -> bytes ? BIG_ENDIAN : SIGNED;
            case ColumnType.Utf8 _, ColumnType.Binary _, ColumnType.FixedBinary _ -> BYTES;
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ -> UNDEFINED;
        };
    }
}
