package io.spillway.scan.parquet.footer;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * What INT96 timestamps can be read as: the values of the format's option {@code int96}. {@link
 * ParquetTypes} tells why there is a choice. A file's columns are known by {@link #MICROS}, and
 * read as whichever of the types a task asks for.
 */
public enum Int96 {
    MICROS("us"),
    NANOS("ns"),
    TEXT("utf8");

    private final String value;

    Int96(String value) {
        this.value = value;
    }

    /**
     * The value of the option.
     *
     * @throws SpillwayException {@code INVALID_PLAN}
     */
    public static Int96 of(@Nullable Object option) {
        if (option == null) {
            return MICROS;
        }
        for (Int96 each : values()) {
            if (each.value.equals(option)) {
                return each;
            }
        }
        throw new SpillwayException(
                ErrorCode.INVALID_PLAN,
                "The option int96 is \"us\", \"ns\" or \"utf8\", but not " + option);
    }

    private ColumnType type() {
        return switch (this) {
            case MICROS -> ParquetTypes.INT96;
            case NANOS -> new ColumnType.Timestamp(TimeUnit.NANO, false);
            case TEXT -> new ColumnType.Utf8();
        };
    }

    /** A column as it is read if a type is asked for, or null if it cannot be read as that. */
    public static @Nullable ColumnNode matching(ColumnNode column, ColumnType wanted) {
        for (Int96 each : values()) {
            ColumnNode read = each.in(column);
            if (read.field().type().equals(wanted)) {
                return read;
            }
        }
        return null;
    }

    /** A column with its INT96 leaves read as this. */
    ColumnNode in(ColumnNode column) {
        return switch (column) {
            case ColumnNode.Leaf leaf ->
                    leaf.physical() == PrimitiveTypeName.INT96
                            ? new ColumnNode.Leaf(
                                    typed(leaf.field(), type()),
                                    leaf.presentAt(),
                                    leaf.repetition(),
                                    leaf.physical(),
                                    leaf.typeLength(),
                                    leaf.chunk())
                            : leaf;
            case ColumnNode.Struct struct -> {
                List<ColumnNode> fields = new ArrayList<>();
                List<ColumnSchema> schemas = new ArrayList<>();
                for (ColumnNode field : struct.fields()) {
                    fields.add(in(field));
                    schemas.add(fields.getLast().field());
                }
                ColumnType structType = new ColumnType.Struct(schemas);
                yield new ColumnNode.Struct(
                        typed(struct.field(), structType), struct.presentAt(), fields);
            }
            case ColumnNode.Repeated repeated -> {
                ColumnNode element = in(repeated.element());
                yield new ColumnNode.Repeated(
                        typed(repeated.field(), listed(repeated.field().type(), element)),
                        repeated.presentAt(),
                        repeated.repetition(),
                        repeated.elementAt(),
                        element);
            }
        };
    }

    private static ColumnSchema typed(ColumnSchema field, ColumnType type) {
        return new ColumnSchema(field.name(), type, field.nullable());
    }

    /** The type of a list or map, with those of its element. */
    private static ColumnType listed(ColumnType before, ColumnNode element) {
        ColumnType type = element.field().type();
        if (before instanceof ColumnType.MapOf map
                && type instanceof ColumnType.Struct(List<ColumnSchema> entry)) {
            return new ColumnType.MapOf(
                    entry.getFirst().type(), entry.getLast().type(), map.nullable());
        }
        return new ColumnType.ListOf(type, element.field().nullable());
    }
}
