package io.spillway.operator.key;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Writes the plain values of one type, a whole column or, inside nested values, one at a time.
 * Bound to a vector while it is used.
 */
abstract sealed class KeyValues permits FixedValues, ByteValues, ListValues, StructValues {

    /** What stands here while no vector is bound. */
    static final Nulls NO_NULLS = new Nulls(0);

    final KeyForm form;

    /** Whether a byte stands before each value. */
    final boolean marked;

    Nulls nulls = NO_NULLS;

    KeyValues(KeyForm form, boolean marked) {
        this.form = form;
        this.marked = marked;
    }

    /** Recurses as deep as the type. */
    static KeyValues of(ColumnType type, KeyForm form, boolean nullable) {
        return switch (type) {
            case ColumnType.Utf8 _, ColumnType.Binary _ -> new ByteValues(form, nullable);
            case ColumnType.ListOf(ColumnType element, boolean _) ->
                    new ListValues(of(element, form.inner(), true), form, nullable);
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    new ListValues(
                            new StructValues(
                                    List.of(
                                            of(key, form.inner(), true),
                                            of(value, form.inner(), true)),
                                    form.inner(),
                                    true),
                            form,
                            nullable);
            case ColumnType.Struct struct ->
                    new StructValues(
                            struct.fields().stream()
                                    .map(field -> of(field.type(), form.inner(), true))
                                    .toList(),
                            form,
                            nullable);
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    new FixedValues(type, form, nullable);
        };
    }

    /** Bytes of each value, null or not, or {@link EncodedKeys#VARIABLE}. */
    int width() {
        return EncodedKeys.VARIABLE;
    }

    /** Looks at a vector, which stays the caller's. */
    void bind(FieldVector vector) {
        nulls = Nulls.of(vector);
    }

    void unbind() {
        nulls = NO_NULLS;
    }

    /** Bytes of a null. */
    int absentLength() {
        return 1;
    }

    void writeAbsent(long address) {
        OffHeap.putByte(address, form.absent());
    }

    /** Bytes of a value, null or not. */
    abstract int length(int row);

    /**
     * Writes a value, null or not.
     *
     * @return the address behind it
     */
    abstract long write(int row, long address);

    /** Adds the bytes of each row's value. */
    void addLengths(int rows, int[] lengths) {
        for (int i = 0; i < rows; i++) {
            lengths[i] = sum(lengths[i], length(i));
        }
    }

    /** Writes each row's value, and moves its position behind it. */
    void write(int rows, long base, int[] positions) {
        for (int i = 0; i < rows; i++) {
            positions[i] = (int) (write(i, base + positions[i]) - base);
        }
    }

    /** A sum of lengths that stays at the top rather than wrap: the encoder refuses it there. */
    static int sum(int one, int other) {
        return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
    }
}
