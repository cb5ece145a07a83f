package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** A conversion of lists, structs or maps, such as files of a schema that has grown need. */
final class NestedCast implements Value {

    private final Value argument;
    private final ColumnType type;
    private final NestedConversion conversion;
    private final Field field;

    NestedCast(Value argument, ColumnType type, boolean safe) {
        this.argument = argument;
        this.type = type;
        this.conversion = NestedConversion.of(argument.type(), type, safe);
        this.field = Vectors.field(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return argument.total() && conversion.total();
    }

    @Override
    public Operand evaluate(Input input) {
        FieldVector result = field.createVector(input.allocator());
        try (Operand operand = argument.plain(input)) {
            conversion.convert(operand.vector(), 0, input.rows(), result, input);
            return Operand.owned(result);
        } catch (Throwable t) {
            result.close();
            throw t;
        }
    }
}
