package io.spillway.spill;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import java.util.List;

/**
 * How many fields and buffers columns have in an Arrow record batch (Arrow columnar format,
 * "Recursive flattening"): every field a bitmap of validity, then what its layout needs, then its
 * children.
 */
record BlockShape(int fields, int buffers) {

    private static final BlockShape NONE = new BlockShape(0, 0);
    private static final BlockShape FIXED = new BlockShape(1, 2);
    private static final BlockShape BYTES = new BlockShape(1, 3);
    private static final BlockShape LIST = new BlockShape(1, 2);
    private static final BlockShape STRUCT = new BlockShape(1, 1);

    static BlockShape of(RowSchema schema) {
        return of(schema.columns());
    }

    private static BlockShape of(List<ColumnSchema> columns) {
        BlockShape sum = NONE;
        for (ColumnSchema column : columns) {
            sum = sum.plus(of(column.type()));
        }
        return sum;
    }

    static BlockShape of(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    FIXED;
            case ColumnType.Utf8 _, ColumnType.Binary _ -> BYTES;
            case ColumnType.ListOf(ColumnType element, boolean _) -> LIST.plus(of(element));
            case ColumnType.Struct(List<ColumnSchema> fields) -> STRUCT.plus(of(fields));
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    LIST.plus(STRUCT).plus(of(key)).plus(of(value));
        };
    }

    private BlockShape plus(BlockShape other) {
        return new BlockShape(fields + other.fields, buffers + other.buffers);
    }
}
