package io.spillway.encode;

import io.spillway.batch.ColumnSchema;

/**
 * Rows of one column as the elements of a JSON array (RFC 8259): each is the column's value, and is
 * preceded by a comma.
 *
 * @param format how values are written; its layout does not matter
 */
record ValueSyntax(JsonFormat format) implements RowSyntax {

    private static final byte[] COMMA = {','};
    private static final byte[] NOTHING = {};

    @Override
    public byte[] open() {
        return COMMA.clone();
    }

    @Override
    public byte[] key(int column) {
        return open();
    }

    @Override
    public byte[] close() {
        return NOTHING;
    }

    @Override
    public ValueText flat(ColumnSchema column) {
        return ValueText.of(column.name(), column.type(), format);
    }

    @Override
    public NestedText nested(ColumnSchema column, int window) {
        return NestedText.of(column.name(), column.type(), format, window);
    }
}
