package io.spillway.group;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.UInt8Vector;

/**
 * Reads a numeric column as weights, in 64-bit floating point, which is exact for whole numbers up
 * to 2^53. What is null, negative or no number weighs nothing.
 */
public final class Weights {

    private Weights() {}

    /** Can a column of the type be a weight? */
    public static boolean isNumeric(ColumnType type) {
        return switch (type) {
            case ColumnType.Int _, ColumnType.FloatingPoint _, ColumnType.Decimal _ -> true;
            case ColumnType.Bool _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    false;
        };
    }

    /** One for each value. */
    public static double[] of(ColumnVector column) {
        double[] weights = new double[column.size()];
        switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> {
                for (int i = 0; i < weights.length; i++) {
                    weights[i] = weight(vector, i);
                }
            }
            case ColumnVector.Encoded encoded -> {
                FieldVector entries = encoded.dictionary().values();
                for (int i = 0; i < weights.length; i++) {
                    weights[i] =
                            encoded.indices().isNull(i)
                                    ? 0
                                    : weight(entries, encoded.indices().get(i));
                }
            }
        }
        return weights;
    }

    private static double weight(FieldVector vector, int index) {
        if (vector.isNull(index)) {
            return 0;
        }
        double value =
                switch (vector) {
                    case UInt8Vector unsigned -> unsigned(unsigned.getValueAsLong(index));
                    case BaseIntVector whole -> whole.getValueAsLong(index);
                    case FloatingPointVector real -> real.getValueAsDouble(index);
                    case DecimalVector decimal -> decimal.getObject(index).doubleValue();
                    default ->
                            throw new IllegalArgumentException(
                                    vector.getMinorType() + " is no numeric type");
                };
        return value > 0 ? value : 0;
    }

    private static double unsigned(long bits) {
        double high = (bits >>> 1) * 2.0;
        return high + (bits & 1);
    }
}
