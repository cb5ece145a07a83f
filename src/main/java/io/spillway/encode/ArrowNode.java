package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Lays out the values of a field, and of the fields below it, in the body of an Arrow message.
 *
 * <p>Values are copied once, from wherever they are: runs of plain vectors as they stand, entries
 * of dictionaries one by one. What is null has no value in the message: what a vector holds there,
 * in the value itself or in what lies below it, stays behind. So the bytes are a function of the
 * values, and nobody sees what was in a buffer before.
 */
sealed interface ArrowNode permits ArrowBits, ArrowBytes, ArrowFixed, ArrowList, ArrowStruct {

    /** Writes what has been laid out. */
    interface Write {

        /**
         * Writes the buffers.
         *
         * @param body address of the message's body
         * @return the first value, among those picked, that is or has text that is not UTF-8; or -1
         */
        int to(long body);
    }

    /**
     * Adds the field, its buffers, and those of its children.
     *
     * @return writes them, as long as the vector is open
     */
    Write layout(FieldVector vector, Picks picks, ArrowLayout layout);

    /**
     * The fields of a type.
     *
     * @param replace whether text that is not UTF-8 is replaced rather than an error
     */
    static ArrowNode of(ColumnType type, boolean replace, Utf8Memory utf8) {
        return switch (type) {
            case ColumnType.Bool() -> new ArrowBits();
            case ColumnType.Int(int bits, boolean _) -> new ArrowFixed(bits / Byte.SIZE);
            case ColumnType.FloatingPoint(int bits) -> new ArrowFixed(bits / Byte.SIZE);
            case ColumnType.Decimal _ -> new ArrowFixed(2 * Long.BYTES);
            case ColumnType.FixedBinary(int width) -> new ArrowFixed(width);
            case ColumnType.Date() -> new ArrowFixed(Integer.BYTES);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    new ArrowFixed(
                            unit.digits() <= ColumnType.TimeUnit.MILLI.digits()
                                    ? Integer.BYTES
                                    : Long.BYTES);
            case ColumnType.Timestamp _ -> new ArrowFixed(Long.BYTES);
            case ColumnType.Utf8() ->
                    new ArrowBytes(
                            replace ? ArrowBytes.Text.REPAIRED : ArrowBytes.Text.CHECKED, utf8);
            case ColumnType.Binary() -> new ArrowBytes(ArrowBytes.Text.NONE, utf8);
            case ColumnType.ListOf(ColumnType element, boolean _) ->
                    new ArrowList(of(element, replace, utf8));
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    new ArrowStruct(fields.stream().map(f -> of(f.type(), replace, utf8)).toList());
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    new ArrowList(
                            new ArrowStruct(
                                    List.of(key(key, replace, utf8), of(value, replace, utf8))));
        };
    }

    /** Keys of text are not repaired: two of them could become one. */
    private static ArrowNode key(ColumnType type, boolean replace, Utf8Memory utf8) {
        return of(type, replace && !(type instanceof ColumnType.Utf8), utf8);
    }
}
