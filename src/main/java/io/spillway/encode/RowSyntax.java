package io.spillway.encode;

import io.spillway.batch.ColumnSchema;

/** How the rows of one schema are written as text: what stands around values, and their texts. */
sealed interface RowSyntax permits JsonSyntax, ValueSyntax, CsvSyntax {

    /** What a row without columns begins with; in other rows it belongs to the first key. */
    byte[] open();

    /** What stands in front of a column's value, from the end of the value before it on. */
    byte[] key(int column);

    /** What stands behind the last value. */
    byte[] close();

    /** The texts of a column of values that consist of no others. */
    ValueText flat(ColumnSchema column);

    /**
     * The texts of a column of lists, structs or maps.
     *
     * @param window the most values of a leaf whose texts are kept at a time
     */
    NestedText nested(ColumnSchema column, int window);
}
