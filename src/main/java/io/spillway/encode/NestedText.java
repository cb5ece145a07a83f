package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Writes values of one type as JSON text, whatever they consist of: lists as arrays, structs as
 * objects with all their fields, maps as {@link MapText} tells. A tree of these has the form of the
 * type. It is bound to the vectors of a column, and then asked for the texts of some of its values
 * in ascending order; only the leaves' values are looked at one block after the other.
 *
 * <p>Recurses as deep as the type, which is bounded.
 */
abstract sealed class NestedText permits LeafText, ListText, MapText, StructText, QuotedText {

    /**
     * What a value counts in {@link #bytes}, beside the bytes it has if it can be large: about what
     * a short text takes.
     */
    static final int VALUE_BYTES = 16;

    private long validity;

    /**
     * Binds to values {@code [from, to)} of a vector, which must stay open until the next call. No
     * values are read yet.
     */
    abstract void bind(FieldVector vector, int from, int to);

    /**
     * Appends the text of a value.
     *
     * @param row the row of the batch, for errors
     * @throws io.spillway.error.SpillwayException for a value that has no text, naming column and
     *     row
     */
    final void append(int index, int row, Scratch scratch, TextBuffer out) {
        if (isNull(index)) {
            appendNull(out);
        } else {
            appendValue(index, row, scratch, out);
        }
    }

    /** Appends the text of null. */
    void appendNull(TextBuffer out) {
        Literals.appendNull(out);
    }

    /** Appends the text of a value that is not null. */
    abstract void appendValue(int index, int row, Scratch scratch, TextBuffer out);

    /** About how many bytes of text the values {@code [from, to)} make; reads no values. */
    abstract long bytes(FieldVector vector, int from, int to);

    final void bindValidity(FieldVector vector) {
        validity = vector.getValidityBuffer().memoryAddress();
    }

    final boolean isNull(int index) {
        return (OffHeap.getByte(validity + (index >>> 3)) >>> (index & 7) & 1) == 0;
    }

    /** How many leaves a nested type has; 0 for one that is not nested. */
    static long leaves(ColumnType type) {
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) -> leavesIn(element);
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    fields.stream().mapToLong(f -> leavesIn(f.type())).sum();
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    leavesIn(key) + leavesIn(value);
            case ColumnType _ -> 0;
        };
    }

    private static long leavesIn(ColumnType type) {
        return type.isNested() ? leaves(type) : 1;
    }

    /**
     * The texts of a column's values.
     *
     * @param window the most values of a leaf whose texts are kept at a time
     */
    static NestedText of(String column, ColumnType type, JsonFormat format, int window) {
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) ->
                    new ListText(of(column, element, format, window));
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    new StructText(
                            fields.stream().map(ColumnSchema::name).toList(),
                            fields.stream()
                                    .map(f -> of(column, f.type(), format, window))
                                    .toList());
            case ColumnType.MapOf(ColumnType.Utf8 _, ColumnType value, boolean _) ->
                    new MapText(
                            // Keys are not repaired: two of them could become one.
                            new LeafText(new Utf8Text(column, false), window),
                            of(column, value, format, window));
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    new ListText(
                            new StructText(
                                    List.of("key", "value"),
                                    List.of(
                                            of(column, key, format, window),
                                            of(column, value, format, window))));
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    new LeafText(ValueText.of(column, type, format), window);
        };
    }
}
