package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/**
 * Values of batches as exact, comparable text, the same for both forms of a column. What counts
 * something since an epoch is the bare number; nested values are as {@link NestedValues} says.
 */
public final class Values {

    private Values() {}

    /** Fails with the first row that differs. */
    public static void assertSame(
            List<List<@Nullable String>> actual, List<List<@Nullable String>> expected) {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
            if (!actual.get(i).equals(expected.get(i))) {
                assertThat(actual.get(i)).as("row %d", i).isEqualTo(expected.get(i));
            }
        }
        assertThat(actual).hasSameSizeAs(expected);
    }

    /** Appends a batch's rows. */
    public static void append(RecordBatch batch, List<List<@Nullable String>> rows) {
        for (int row = 0; row < batch.rowCount(); row++) {
            List<@Nullable String> values = new ArrayList<>();
            for (int c = 0; c < batch.schema().size(); c++) {
                values.add(text(batch.column(c), batch.schema().column(c).type(), row));
            }
            rows.add(values);
        }
    }

    public static @Nullable String text(ColumnVector column, ColumnType type, int row) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector v) -> v.isNull(row) ? null : text(v, type, row);
            case ColumnVector.Encoded e ->
                    e.indices().isNull(row)
                            ? null
                            : text(e.dictionary().values(), type, e.indices().get(row));
        };
    }

    /** A value that is not null. */
    public static String text(FieldVector v, ColumnType type, int row) {
        return switch (v) {
            case BitVector b -> b.get(row) == 1 ? "true" : "false";
            case VarCharVector t -> new String(t.get(row), StandardCharsets.UTF_8);
            case VarBinaryVector b -> HexFormat.of().formatHex(b.get(row));
            case FixedSizeBinaryVector b -> HexFormat.of().formatHex(b.get(row));
            case DecimalVector d -> d.getObject(row).toPlainString();
            case MapVector m when type instanceof ColumnType.MapOf t -> NestedValues.map(m, t, row);
            case ListVector l when type instanceof ColumnType.ListOf t ->
                    NestedValues.list(l, t, row);
            case StructVector s when type instanceof ColumnType.Struct t ->
                    NestedValues.struct(s, t, row);
            case BaseFixedWidthVector f -> number(f, type, row);
            default -> throw new IllegalArgumentException(v.getClass().getName());
        };
    }

    private static String number(BaseFixedWidthVector v, ColumnType type, int row) {
        var data = v.getDataBuffer();
        long bits =
                switch (v.getTypeWidth()) {
                    case 1 -> data.getByte(row);
                    case 2 -> data.getShort(2L * row);
                    case 4 -> data.getInt(4L * row);
                    default -> data.getLong(8L * row);
                };
        return switch (type) {
            case ColumnType.Int i when !i.signed() ->
                    Long.toUnsignedString(i.bits() == 64 ? bits : bits & ((1L << i.bits()) - 1));
            case ColumnType.FloatingPoint(int width) ->
                    switch (width) {
                        case 16 -> Float.toString(Float.float16ToFloat((short) bits));
                        case 32 -> Float.toString(Float.intBitsToFloat((int) bits));
                        default -> Double.toString(Double.longBitsToDouble(bits));
                    };
            default -> Long.toString(bits);
        };
    }
}
