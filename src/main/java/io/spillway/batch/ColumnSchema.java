package io.spillway.batch;

import java.util.List;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** One column of a schema. Names are case-sensitive. */
public record ColumnSchema(String name, ColumnType type, boolean nullable) {

    /** The name of a list's child in Arrow. */
    private static final String ELEMENT = "element";

    /** The Arrow field for this column in plain (not dictionary-encoded) form. */
    public Field toArrow() {
        return new Field(name, new FieldType(nullable, type.toArrow(), null), children());
    }

    private @Nullable List<Field> children() {
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean nulls) ->
                    List.of(new ColumnSchema(ELEMENT, element, nulls).toArrow());
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    fields.stream().map(ColumnSchema::toArrow).toList();
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean nulls) ->
                    List.of(
                            new ColumnSchema(
                                            MapVector.DATA_VECTOR_NAME,
                                            new ColumnType.Struct(
                                                    List.of(
                                                            new ColumnSchema(
                                                                    MapVector.KEY_NAME, key, false),
                                                            new ColumnSchema(
                                                                    MapVector.VALUE_NAME,
                                                                    value,
                                                                    nulls))),
                                            false)
                                    .toArrow());
            case ColumnType _ -> null;
        };
    }
}
