package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * What the conversions have in common: a value that cannot be converted is an error, or null for
 * TRY_CAST.
 */
abstract class CastValue implements Value {

    private final Value argument;
    private final ColumnType type;
    private final boolean safe;
    private final Field field;

    CastValue(Value argument, ColumnType type, boolean safe) {
        this.argument = argument;
        this.type = type;
        this.safe = safe;
        this.field = Vectors.field(type);
    }

    final Value argument() {
        return argument;
    }

    final ColumnType from() {
        return argument.type();
    }

    final Field field() {
        return field;
    }

    @Override
    public final ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return safe && argument.total();
    }

    /** Deals with a value that cannot be converted. */
    final void reject(FieldVector values, int row, long validity) {
        if (!safe) {
            TextBuilder text = new TextBuilder();
            ValueFormat.append(from(), values, row, text);
            throw Failures.cast(text.toString(), from(), type);
        }
        Bits.clear(validity, row);
    }
}
