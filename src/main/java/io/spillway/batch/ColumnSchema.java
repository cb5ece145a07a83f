package io.spillway.batch;

import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** One column of a schema. Names are case-sensitive. */
public record ColumnSchema(String name, ColumnType type, boolean nullable) {

    /** The Arrow field for this column in plain (not dictionary-encoded) form. */
    public Field toArrow() {
        return new Field(name, new FieldType(nullable, type.toArrow(), null), null);
    }
}
