package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;

/** The columns of a relation's successor, being collected. */
final class Projection {

    private final PlanningContext context;
    private final Relation input;
    private final Set<String> names = new HashSet<>();
    private final List<Relation.Column> columns = new ArrayList<>();
    private final List<RexNode> values = new ArrayList<>();
    private final List<String> valueNames = new ArrayList<>();

    Projection(PlanningContext context, Relation input) {
        this.context = context;
        this.input = input;
    }

    /** A column of the input, perhaps under a new name. */
    void add(Relation.Column column) {
        switch (column) {
            case Relation.Available available ->
                    add(column.name(), context.expressions().reference(available, input));
            case Relation.Unreadable unreadable -> {
                checkName(column.name());
                columns.add(unreadable);
            }
        }
    }

    void add(String name, RexNode value) {
        checkName(name);
        ColumnSchema schema =
                new ColumnSchema(name, columnType(name, value), value.getType().isNullable());
        columns.add(new Relation.Available(schema, values.size()));
        values.add(value);
        valueNames.add(name);
    }

    private ColumnType columnType(String name, RexNode value) {
        if (value.getType().getSqlTypeName() == SqlTypeName.NULL) {
            throw untyped(name);
        }
        return TypeMapping.toColumn(value.getType());
    }

    private void checkName(String name) {
        context.checkName(name);
        if (!names.add(name)) {
            throw duplicate(name);
        }
        context.checkColumns(names.size());
    }

    static SpillwayException untyped(String name) {
        return new SpillwayException(
                        ErrorCode.TYPE_MISMATCH,
                        "Column '%s' is NULL and has no type; write CAST(NULL AS …)"
                                .formatted(name))
                .with(SpillwayException.COLUMN, name);
    }

    static SpillwayException duplicate(String name) {
        return new SpillwayException(
                        ErrorCode.DUPLICATE_COLUMN, "Two columns are named '%s'".formatted(name))
                .with(SpillwayException.COLUMN, name);
    }

    Relation build() {
        if (columns.isEmpty()) {
            throw new SpillwayException(ErrorCode.INVALID_PLAN, "At least one column must remain");
        }
        return new Relation(Algebra.project(input.node(), values, valueNames), columns);
    }
}
