package io.spillway.encode;

import io.spillway.batch.ColumnType;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/** Writes values of one type, which is not nested, as text: of JSON, or as fields of CSV. */
sealed interface ValueText {

    /** Types whose values are short. */
    sealed interface Narrow extends ValueText
            permits BoolText,
                    IntText,
                    FloatText,
                    DecimalText,
                    DateText,
                    TimeText,
                    TimestampText,
                    BareText {}

    /** Types whose values can be of any length. */
    sealed interface Wide extends ValueText permits Utf8Text, Base64Text, CsvText, BareBase64 {

        /**
         * Appends the text of one value, which it reads in parts.
         *
         * @param part for its parts
         * @param row the row of the batch, for errors
         */
        void writeLarge(
                ArrowBuf data, long from, long length, int row, ValueBlock part, TextBuffer out);

        /** The same for a value of a vector, which is not null. */
        default void writeLarge(
                FieldVector vector, int index, int row, ValueBlock part, TextBuffer out) {
            long length = ValueBlock.wideBytes(vector, index, 1);
            long start =
                    vector instanceof BaseVariableWidthVector variable
                            ? variable.getStartOffset(index)
                            : length * index;
            writeLarge(vector.getDataBuffer(), start, length, row, part, out);
        }
    }

    /** The text of null, among the {@link Literals}. */
    default long nullSpan() {
        return Literals.NULL;
    }

    /**
     * Appends the texts of a block of values.
     *
     * @param out a buffer with {@link Literals}
     * @param spans filled with the place of each value's text in {@code out}
     * @throws io.spillway.error.SpillwayException for a value that has no text, naming column and
     *     row
     */
    void write(ValueBlock values, TextBuffer out, long[] spans);

    /** The JSON text form of a column's values. */
    static ValueText of(String column, ColumnType type, JsonFormat format) {
        return switch (type) {
            case ColumnType.Bool() -> new BoolText();
            case ColumnType.Int(int bits, boolean signed) ->
                    new IntText(bits, signed, bits == Long.SIZE && format.stringNumbers());
            case ColumnType.FloatingPoint(int bits) -> new FloatText(bits);
            case ColumnType.Decimal(int _, int scale) ->
                    new DecimalText(scale, format.stringNumbers());
            case ColumnType.Utf8() -> new Utf8Text(column, format.replaceInvalidText());
            case ColumnType.Binary(), ColumnType.FixedBinary(int _) -> new Base64Text();
            case ColumnType.Date() -> new DateText();
            case ColumnType.Time(ColumnType.TimeUnit unit) -> new TimeText(column, unit);
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean utc) ->
                    new TimestampText(unit, utc);
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(type + " has no values of its own");
        };
    }
}
