package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;

/**
 * Rows as objects or arrays (RFC 8259).
 *
 * @param before what stands in front of each row, in ASCII
 * @param after what stands behind it
 */
record JsonSyntax(RowSchema schema, JsonFormat format, String before, String after)
        implements RowSyntax {

    /** Rows in the layout of the format. */
    static JsonSyntax of(RowSchema schema, JsonFormat format) {
        return switch (format.layout()) {
            case LINES -> new JsonSyntax(schema, format, "", "\n");
            case ARRAY_ELEMENTS -> elements(schema, format);
        };
    }

    /** Rows each of which is preceded by a comma, whatever the layout of the format. */
    static JsonSyntax elements(RowSchema schema, JsonFormat format) {
        return new JsonSyntax(schema, format, ",", "");
    }

    @Override
    public byte[] open() {
        return ascii(before + (format.arrays() ? "[" : "{"));
    }

    @Override
    public byte[] key(int column) {
        TextBuffer key = new TextBuffer(0);
        key.append(column == 0 ? open() : ascii(","));
        if (!format.arrays()) {
            key.append(JsonText.quoted(schema.column(column).name()));
            key.append(':');
        }
        return key.toByteArray();
    }

    @Override
    public byte[] close() {
        return ascii((format.arrays() ? "]" : "}") + after);
    }

    @Override
    public ValueText flat(ColumnSchema column) {
        return ValueText.of(column.name(), column.type(), format);
    }

    @Override
    public NestedText nested(ColumnSchema column, int window) {
        return NestedText.of(column.name(), column.type(), format, window);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
