package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;

/**
 * Texts in memory as values of one type of fixed width, as a cast would read them: one by one, or a
 * column at a time. Used by one thread at a time.
 */
public final class TextValues {

    private final ColumnType type;
    private final TextParser parser;
    private final TextScanner text = new TextScanner();
    private final TextColumn column;

    private TextValues(ColumnType type, TextParser parser) {
        this.type = type;
        this.parser = parser;
        this.column = TextColumn.of(type, this);
    }

    /**
     * A reader of values.
     *
     * @throws SpillwayException {@code TYPE_MISMATCH} if no text is read as a value of the type
     */
    public static TextValues of(ColumnType type) {
        return new TextValues(type, TextParser.of(type));
    }

    /**
     * Reads a text and writes its value.
     *
     * @param address where its bytes stand; it is well-formed UTF-8
     * @param data of a vector of the type; for truth values, bits that are 0 so far
     * @param row the value's place there
     * @return whether it is a value of the type; nothing is written if not
     */
    public boolean read(long address, int length, long data, int row) {
        text.set(address, length);
        if (!parser.parse(text)) {
            return false;
        }
        Slots.put(type, data, row, parser.low(), parser.high());
        return true;
    }

    /**
     * Reads a column of texts and writes their values.
     *
     * @param base what starts count from; up to 16 bytes behind each text can be read
     * @param lengths lengths in bytes, in those bits that the mask has
     * @param rows how many texts there are
     * @param valid bits that tell which of them count
     * @param data as for {@link #read}
     * @return the first row whose text is not a value of the type; the number of rows if all are
     */
    public int readColumn(
            long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data) {
        return column.read(base, starts, lengths, mask, rows, valid, data);
    }

    /** Bytes of a value of the type; truth values have less than one. */
    public static int width(ColumnType type) {
        return switch (type) {
            case ColumnType.Int(int bits, boolean _) -> bits / Byte.SIZE;
            case ColumnType.FloatingPoint(int bits) -> bits / Byte.SIZE;
            case ColumnType.Decimal _ -> 16;
            case ColumnType.Date _ -> Integer.BYTES;
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    unit.digits() <= 3 ? Integer.BYTES : Long.BYTES;
            case ColumnType.Timestamp _ -> Long.BYTES;
            case ColumnType.Bool _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(type + " has no width");
        };
    }
}
