package io.spillway.expression;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;

/** The functions that take lists, maps and structs apart, or put structs together. */
final class NestedKernels {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    private NestedKernels() {}

    static Value of(Expression.Call call, KernelBuilder builder) {
        Expression container = call.arguments().getFirst();
        return switch (call.function()) {
            case CARDINALITY -> {
                boolean counts =
                        container.type() instanceof ColumnType.ListOf
                                || container.type() instanceof ColumnType.MapOf;
                if (!counts || !call.type().equals(INT64)) {
                    throw unsupported(call);
                }
                yield new Cardinality(builder.value(container));
            }
            case ELEMENT_AT -> {
                Value index = builder.value(call.arguments().get(1));
                if (!(container.type() instanceof ColumnType.ListOf list)
                        || !list.element().equals(call.type())
                        || !index.type().equals(INT64)) {
                    throw unsupported(call);
                }
                yield new ElementAt(builder.value(container), index, call.type());
            }
            default -> {
                String name =
                        ConstantText.of(call.arguments().get(1), "The field of STRUCT_EXTRACT");
                int field = name == null ? -1 : field(container.type(), name, call.type());
                if (field < 0) {
                    throw unsupported(call);
                }
                yield new StructField(builder.value(container), field, call.type());
            }
        };
    }

    /** Puts values together. */
    static Value struct(Expression.Call call, KernelBuilder builder) {
        List<Expression> arguments = call.arguments();
        if (!(call.type() instanceof ColumnType.Struct(List<ColumnSchema> fields))
                || arguments.size() != 2 * fields.size()) {
            throw unsupported(call);
        }
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            Expression value = arguments.get(2 * i + 1);
            if (!fields.get(i).type().equals(value.type())) {
                throw unsupported(call);
            }
            values.add(builder.value(value));
        }
        return new StructOf(values, call.type());
    }

    /** The place of a field of some type, or -1. */
    private static int field(ColumnType container, String name, ColumnType type) {
        if (container instanceof ColumnType.Struct(List<ColumnSchema> fields)) {
            for (int i = 0; i < fields.size(); i++) {
                if (fields.get(i).name().equals(name) && fields.get(i).type().equals(type)) {
                    return i;
                }
            }
        }
        return -1;
    }

    private static RuntimeException unsupported(Expression.Call call) {
        return Failures.unsupported(
                "%s of %s to %s"
                        .formatted(
                                call.function(), call.arguments().getFirst().type(), call.type()));
    }
}
