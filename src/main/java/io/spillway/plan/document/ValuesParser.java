package io.spillway.plan.document;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code values} of a plan: {@code {"columns": ["id", {"name": "at", "type": "date"}],
 * "rows": [[1, "2024-05-01"]]}}. A value is written as it is in a JSON result ({@link
 * ValueReader}). A column without a type gets that of its values: {@code int64} if all are whole
 * numbers of 64 bits, {@code float64} if all are numbers, {@code utf8}, {@code bool}. Only nulls
 * show no type: such a column needs to name one, and so does one without rows.
 */
final class ValuesParser {

    private final PlanLimits limits;

    ValuesParser(PlanLimits limits) {
        this.limits = limits;
    }

    private record Column(String name, @Nullable ColumnType type, Place place) {}

    From.Values parse(JsonValue value, Place place) {
        Fields values = Fields.of(value, place).only("columns", "rows");
        List<Column> columns = columns(values.required("columns"), values.place("columns"));
        Place rowsPlace = values.place("rows");
        List<List<JsonValue>> cells = cells(values.required("rows"), rowsPlace, columns.size());

        List<ColumnType> types = new ArrayList<>();
        List<ColumnSchema> schema = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            ColumnType type =
                    column.type != null ? column.type : inferred(column, cells, i, rowsPlace);
            int at = i;
            boolean nullable = cells.stream().anyMatch(r -> r.get(at) instanceof JsonValue.Null);
            types.add(type);
            schema.add(new ColumnSchema(column.name, type, nullable));
        }
        List<List<Expression.Literal>> rows = new ArrayList<>();
        for (int r = 0; r < cells.size(); r++) {
            List<Expression.Literal> row = new ArrayList<>();
            for (int c = 0; c < types.size(); c++) {
                Place cell = rowsPlace.item(r).item(c);
                row.add(ValueReader.read(cells.get(r).get(c), types.get(c), cell));
            }
            rows.add(List.copyOf(row));
        }
        return new From.Values(new RowSchema(schema), rows, place.pointer());
    }

    private List<Column> columns(JsonValue value, Place place) {
        List<JsonValue> items = Fields.array(value, place);
        if (items.isEmpty()) {
            throw place.invalid("At least one column must be named");
        }
        if (items.size() > limits.columns()) {
            throw tooLarge("columns", limits.columns(), items.size() + " columns", place);
        }
        List<Column> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            Column column = column(items.get(i), place.item(i));
            if (!names.add(column.name)) {
                throw column.place
                        .error(
                                ErrorCode.DUPLICATE_COLUMN,
                                "Two columns are named '%s'".formatted(column.name))
                        .with(SpillwayException.COLUMN, column.name);
            }
            columns.add(column);
        }
        return columns;
    }

    private Column column(JsonValue value, Place place) {
        if (value instanceof JsonValue.Str(var name)) {
            return new Column(checkName(name, place), null, place);
        }
        if (!(value instanceof JsonValue.Obj)) {
            throw Fields.wrongType(value, place, "a name", "an object with name and type");
        }
        Fields column = Fields.of(value, place).only("name", "type");
        String name = checkName(column.requiredString("name"), column.place("name"));
        Place typePlace = column.place("type");
        try {
            ColumnType type = ColumnType.parse(column.requiredString("type"));
            return new Column(name, ValueReader.checkType(type, typePlace), place);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, typePlace.pointer());
        }
    }

    private String checkName(String name, Place place) {
        if (name.isEmpty()) {
            throw place.invalid("A column's name cannot be empty");
        }
        if (name.length() > limits.nameLength()) {
            throw tooLarge("nameLength", limits.nameLength(), "A long column name", place);
        }
        return name;
    }

    private List<List<JsonValue>> cells(JsonValue value, Place place, int width) {
        List<JsonValue> rows = Fields.array(value, place);
        if ((long) rows.size() * width > limits.values()) {
            throw tooLarge(
                    "values", limits.values(), (long) rows.size() * width + " values", place);
        }
        List<List<JsonValue>> cells = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            List<JsonValue> row = Fields.array(rows.get(i), place.item(i));
            if (row.size() != width) {
                throw place.item(i)
                        .invalid(
                                "The row has %d values for %d columns".formatted(row.size(), width))
                        .with(SpillwayException.FOUND, row.size() + " values")
                        .with(SpillwayException.EXPECTED, List.of(width + " values"));
            }
            cells.add(row);
        }
        return cells;
    }

    private static ColumnType inferred(
            Column column, List<List<JsonValue>> cells, int index, Place rows) {
        ColumnType type = null;
        for (int r = 0; r < cells.size(); r++) {
            JsonValue value = cells.get(r).get(index);
            ColumnType own = typeOf(value, rows.item(r).item(index));
            if (own == null || own.equals(type)) {
                continue;
            }
            if (type == null) {
                type = own;
            } else if (number(type) && number(own)) {
                type = new ColumnType.FloatingPoint(64);
            } else {
                throw Fields.wrongType(
                        ErrorCode.TYPE_MISMATCH,
                        value,
                        rows.item(r).item(index),
                        List.of("a value of type " + type));
            }
        }
        if (type == null) {
            throw column.place
                    .error(
                            ErrorCode.TYPE_MISMATCH,
                            "The values of column '%s' show no type; name one"
                                    .formatted(column.name))
                    .with(SpillwayException.COLUMN, column.name)
                    .with(
                            SpillwayException.EXPECTED,
                            List.of("an object with name and type in place of the name"));
        }
        return type;
    }

    private static boolean number(ColumnType type) {
        return type instanceof ColumnType.Int || type instanceof ColumnType.FloatingPoint;
    }

    private static @Nullable ColumnType typeOf(JsonValue value, Place place) {
        return switch (value) {
            case JsonValue.Null() -> null;
            case JsonValue.Bool(var _) -> new ColumnType.Bool();
            case JsonValue.Str(var _) -> new ColumnType.Utf8();
            case JsonValue.Num number ->
                    number.int64() != null
                            ? new ColumnType.Int(64, true)
                            : new ColumnType.FloatingPoint(64);
            case JsonValue.Obj _, JsonValue.Arr _ ->
                    throw Fields.wrongType(
                            ErrorCode.TYPE_MISMATCH,
                            value,
                            place,
                            List.of("a number", "a string", "true", "false", "null"));
        };
    }

    private static SpillwayException tooLarge(String limit, int value, String what, Place place) {
        return PlanLimits.tooLarge(limit, value, "The plan has " + what)
                .with(SpillwayException.POINTER, place.pointer());
    }
}
