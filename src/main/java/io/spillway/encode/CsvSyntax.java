package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Rows as lines of fields: {@link CsvFormat}. */
record CsvSyntax(RowSchema schema, CsvFormat format) implements RowSyntax {

    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] COMMA = {','};

    /** The line of the columns' names. */
    byte[] header() {
        TextBuffer line = new TextBuffer(0);
        for (int i = 0; i < schema.size(); i++) {
            line.append(key(i));
            byte[] name = schema.column(i).name().getBytes(StandardCharsets.UTF_8);
            line.reserve(CsvText.longest(name.length));
            line.end =
                    CsvText.field(
                            Arrays.copyOf(name, name.length + Long.BYTES),
                            0,
                            name.length,
                            line.bytes,
                            line.end,
                            false);
        }
        line.append(LINE_END);
        return line.toByteArray();
    }

    @Override
    public byte[] open() {
        return new byte[0];
    }

    @Override
    public byte[] key(int column) {
        return column == 0 ? new byte[0] : COMMA.clone();
    }

    @Override
    public byte[] close() {
        return LINE_END.clone();
    }

    @Override
    public ValueText flat(ColumnSchema column) {
        boolean only = schema.size() == 1;
        long none = only ? Literals.QUOTES : Literals.NOTHING;
        long noneOrEmpty = only ? Literals.NULL_WORD : Literals.NOTHING;
        ColumnType type = column.type();
        return switch (type) {
            case ColumnType.Utf8() ->
                    new CsvText(column.name(), format.replaceInvalidText(), noneOrEmpty);
            case ColumnType.Binary() -> new BareBase64(new Base64Text(), noneOrEmpty);
            case ColumnType.FixedBinary(int width) ->
                    new BareBase64(new Base64Text(), width == 0 ? noneOrEmpty : none);
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    new BareText(narrow(column), none);
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(type + " is nested");
        };
    }

    private ValueText.Narrow narrow(ColumnSchema column) {
        return (ValueText.Narrow) ValueText.of(column.name(), column.type(), json());
    }

    @Override
    public NestedText nested(ColumnSchema column, int window) {
        byte[] none = schema.size() == 1 ? new byte[] {'"', '"'} : new byte[0];
        return new QuotedText(NestedText.of(column.name(), column.type(), json(), window), none);
    }

    private JsonFormat json() {
        return new JsonFormat(
                JsonFormat.Layout.ARRAY_ELEMENTS, false, false, format.replaceInvalidText());
    }
}
