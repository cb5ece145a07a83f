package io.spillway.scan.text;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.scan.InferredColumns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The columns of texts: those whose types are given have them, the others those that their values
 * tell.
 */
public final class TextColumns implements InferredColumns {

    private final Map<String, ColumnType> given;
    private final TypeEvidence rows;

    /**
     * @param given types by name
     * @param rows a row as an object: its fields are the columns; not changed from here on
     */
    public TextColumns(Map<String, ColumnType> given, TypeEvidence rows) {
        this.given = given;
        this.rows = rows;
    }

    @Override
    public InferredColumns and(InferredColumns behind) {
        TypeEvidence all = rows.copy();
        all.add(((TextColumns) behind).rows);
        return new TextColumns(given, all);
    }

    /** {@inheritDoc} Columns that are given but were never seen come last. */
    @Override
    public RowSchema schema() {
        Map<String, ColumnSchema> inferred = new LinkedHashMap<>();
        rows.columns().forEach(column -> inferred.put(column.name(), column));
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema column : inferred.values()) {
            ColumnType type = given.getOrDefault(column.name(), column.type());
            columns.add(new ColumnSchema(column.name(), type, true));
        }
        given.forEach(
                (name, type) -> {
                    if (!inferred.containsKey(name)) {
                        columns.add(new ColumnSchema(name, type, true));
                    }
                });
        return new RowSchema(columns);
    }
}
