package io.spillway.batch;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns of a row, in order. Column names are unique within a schema; whoever makes one has
 * seen to that.
 */
public record RowSchema(List<ColumnSchema> columns) {

    public RowSchema {
        columns = List.copyOf(columns);
    }

    public int size() {
        return columns.size();
    }

    public ColumnSchema column(int index) {
        return columns.get(index);
    }

    /** The position of a column by its exact name, or -1. */
    public int indexOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    public List<String> names() {
        return columns.stream().map(ColumnSchema::name).toList();
    }

    public Schema toArrow() {
        List<Field> fields = new ArrayList<>();
        for (ColumnSchema c : columns) {
            fields.add(c.toArrow());
        }
        return new Schema(fields);
    }
}
