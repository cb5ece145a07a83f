package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/**
 * A relation under construction: its algebra, and the columns that a step may name. Columns of the
 * source that cannot be read are among them, so that naming one is told apart from mistyping, and
 * so that {@code *} does not leave them out silently; they are not in the algebra. They can be
 * dropped, renamed and left out, and nothing else: whoever uses one, or ends with one, gets an
 * error.
 */
final class Relation {

    /** A column that a step may name. */
    sealed interface Column {

        String name();

        Column named(String name);
    }

    /** A column of the algebra, by position. */
    record Available(ColumnSchema schema, int index) implements Column {

        @Override
        public String name() {
            return schema.name();
        }

        @Override
        public Available named(String name) {
            return new Available(new ColumnSchema(name, schema.type(), schema.nullable()), index);
        }
    }

    /** A column of the source that cannot be read. */
    record Unreadable(String name, String reason) implements Column {

        @Override
        public Unreadable named(String name) {
            return new Unreadable(name, reason);
        }

        SpillwayException error() {
            return new SpillwayException(
                            ErrorCode.FILE_NOT_SUPPORTED,
                            "Column '%s' cannot be read: %s".formatted(name, reason))
                    .with(SpillwayException.COLUMN, name);
        }
    }

    private final RelNode node;
    private final RowSchema schema;
    private final List<Column> columns;
    private final List<String> names;
    private final Map<String, Column> byName = new HashMap<>();

    Relation(RelNode node, List<? extends Column> columns) {
        this.node = node;
        this.schema = TypeMapping.toSchema(node.getRowType());
        this.columns = List.copyOf(columns);
        this.names = columns.stream().map(Column::name).toList();
        for (Column column : columns) {
            byName.put(column.name(), column);
        }
    }

    /** The columns of a schema, then those of the same source that cannot be read. */
    static Relation of(
            RelNode node, RowSchema schema, List<FileMetadata.UnreadableColumn> unreadable) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < schema.size(); i++) {
            columns.add(new Available(schema.column(i), i));
        }
        for (FileMetadata.UnreadableColumn column : unreadable) {
            columns.add(new Unreadable(column.name(), column.reason()));
        }
        return new Relation(node, columns);
    }

    RelNode node() {
        return node;
    }

    /** The columns, in order. */
    List<Column> columns() {
        return columns;
    }

    /** The columns of the algebra. */
    RowSchema schema() {
        return schema;
    }

    /** Names of the columns, in order. */
    List<String> names() {
        return names;
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    /** The column of exactly this name, or null. */
    @Nullable Column find(String name) {
        return byName.get(name);
    }

    /**
     * @throws SpillwayException {@code UNKNOWN_COLUMN} with the nearest name
     */
    Column column(String name) {
        Column column = byName.get(name);
        if (column == null) {
            throw new SpillwayException(
                            ErrorCode.UNKNOWN_COLUMN, "There is no column '%s'".formatted(name))
                    .with(SpillwayException.COLUMN, name)
                    .with(SpillwayException.FOUND, name)
                    .with(SpillwayException.SUGGESTION, NearestName.of(name, names));
        }
        return column;
    }

    /** The same columns over other algebra with the same row type. */
    Relation over(RelNode changed) {
        return new Relation(changed, columns);
    }
}
