package io.spillway.delivery.body;

import io.spillway.batch.RowSchema;
import io.spillway.delivery.body.Piece.Field;
import io.spillway.delivery.body.Piece.Layout;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.JsonValue;
import io.spillway.plan.document.Place;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Takes a template apart into pieces: what stands in it as it is, and what is put in its place for
 * each batch. What is to be replaced is an object with one field whose name begins with {@code $}.
 * Recurses as deep as the template, which has a limit.
 */
final class Template {

    private static final String ROWS = "$rows";
    private static final String COLUMN = "$column";
    private static final String ROW = "$row";
    private static final String BATCH = "$batch";
    private static final String LITERAL = "$literal";
    private static final List<String> WORDS = List.of(ROWS, COLUMN, ROW, BATCH, LITERAL);

    private final RowSchema schema;
    private final BatchShape shape;
    private final List<Piece> pieces = new ArrayList<>();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    private Template(RowSchema schema, BatchShape shape) {
        this.schema = schema;
        this.shape = shape;
    }

    /**
     * The pieces of a template.
     *
     * @throws SpillwayException with the place of what is wrong
     */
    static List<Piece> pieces(JsonValue template, Place place, RowSchema schema, BatchShape shape) {
        Template parsed = new Template(schema, shape);
        parsed.value(template, place);
        parsed.endText();
        return List.copyOf(parsed.pieces);
    }

    /** A JSON array of all rows. */
    static List<Piece> array(RowSchema schema) {
        Template all = new Template(schema, new BatchShape(1, null, null, false));
        all.rows(allColumns(schema));
        all.endText();
        return List.copyOf(all.pieces);
    }

    /** A line for each row. */
    static List<Piece> lines(RowSchema schema) {
        return List.of(new Piece.Slot(allColumns(schema), Layout.LINES));
    }

    private static List<Integer> allColumns(RowSchema schema) {
        return IntStream.range(0, schema.size()).boxed().toList();
    }

    private void value(JsonValue value, Place place) {
        if (value instanceof JsonValue.Obj(var members) && members.size() == 1) {
            Map.Entry<String, JsonValue> only = members.entrySet().iterator().next();
            if (only.getKey().startsWith("$")) {
                replaced(only.getKey(), only.getValue(), place.field(only.getKey()));
                return;
            }
        }
        switch (value) {
            case JsonValue.Obj(var members) -> {
                members.keySet().forEach(name -> notMixed(name, place));
                object(members, place, false);
            }
            case JsonValue.Arr(var items) -> array(items, place, false);
            case JsonValue.Str _, JsonValue.Num _, JsonValue.Bool _, JsonValue.Null _ ->
                    literal(value, place);
        }
    }

    /** Such a field with others beside it would be sent as it stands, which nobody means. */
    private static void notMixed(String name, Place place) {
        if (WORDS.contains(name)) {
            throw place.field(name)
                    .invalid(
                            "'%s' is to be the only field of its object, which it replaces"
                                    .formatted(name))
                    .with(SpillwayException.FOUND, name);
        }
    }

    private void replaced(String word, JsonValue value, Place place) {
        switch (word) {
            case ROWS -> rows(columns(value, place));
            case COLUMN -> {
                append("[");
                slot(List.of(column(value, place)), Layout.VALUES);
                append("]");
            }
            case ROW -> {
                if (shape.rows() != 1) {
                    throw place.invalid(
                                    "'%s' is for batches of one row, not of %,d"
                                            .formatted(ROW, shape.rows()))
                            .with(SpillwayException.FOUND, ROW)
                            .with(SpillwayException.SUGGESTION, ROWS);
                }
                slot(columns(value, place), Layout.OBJECTS);
            }
            case BATCH -> mark(value, place);
            case LITERAL -> literal(value, place);
            default ->
                    throw place.invalid(
                                    "'%s' stands for nothing; text that is to be sent so goes into"
                                                    .formatted(word)
                                            + " {\"$literal\": …}")
                            .with(SpillwayException.FOUND, word)
                            .with(SpillwayException.EXPECTED, WORDS)
                            .with(SpillwayException.SUGGESTION, NearestName.of(word, WORDS));
        }
    }

    private void rows(List<Integer> columns) {
        append("[");
        slot(columns, Layout.OBJECTS);
        append("]");
    }

    private List<Integer> columns(JsonValue value, Place place) {
        if (value instanceof JsonValue.Str(String all) && all.equals("*")) {
            return allColumns(schema);
        }
        if (!(value instanceof JsonValue.Arr(List<JsonValue> names)) || names.isEmpty()) {
            throw wrong(value, place, "\"*\" or the names of one column or more");
        }
        List<Integer> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int column = column(names.get(i), place.item(i));
            if (columns.contains(column)) {
                throw place.item(i)
                        .error(
                                ErrorCode.DUPLICATE_COLUMN,
                                "The column '%s' is there twice"
                                        .formatted(schema.column(column).name()));
            }
            columns.add(column);
        }
        return columns;
    }

    private int column(JsonValue value, Place place) {
        if (!(value instanceof JsonValue.Str(String name))) {
            throw wrong(value, place, "the name of a column");
        }
        int column = schema.indexOf(name);
        if (column < 0) {
            throw place.error(ErrorCode.UNKNOWN_COLUMN, "The job has no column '" + name + "'")
                    .with(SpillwayException.FOUND, name)
                    .with(SpillwayException.SUGGESTION, NearestName.of(name, schema.names()));
        }
        return column;
    }

    private void mark(JsonValue value, Place place) {
        List<String> words = Stream.of(Field.values()).map(Field::word).toList();
        if (!(value instanceof JsonValue.Str(String word))) {
            throw wrong(value, place, "one of " + String.join(", ", words));
        }
        Field field =
                Stream.of(Field.values())
                        .filter(each -> each.word().equals(word))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        wrong(value, place, "one of " + String.join(", ", words))
                                                .with(
                                                        SpillwayException.SUGGESTION,
                                                        NearestName.of(word, words)));

        if (field == Field.NUMBER && shape.isCapped()) {
            throw place.invalid("Batches whose size depends on their rows have no number")
                    .with(SpillwayException.FOUND, word)
                    .with(SpillwayException.SUGGESTION, Field.FIRST_ROW.word());
        }
        endText();
        pieces.add(new Piece.Mark(field));
    }

    /** A value as it stands. */
    private void literal(JsonValue value, Place place) {
        switch (value) {
            case JsonValue.Obj(var members) -> object(members, place, true);
            case JsonValue.Arr(var items) -> array(items, place, true);
            case JsonValue.Str(String string) -> quoted(string);
            case JsonValue.Num(String number) -> append(number);
            case JsonValue.Bool(boolean bool) -> append(Boolean.toString(bool));
            case JsonValue.Null() -> append("null");
        }
    }

    private void object(Map<String, JsonValue> members, Place place, boolean isLiteral) {
        String before = "{";
        for (Map.Entry<String, JsonValue> member : members.entrySet()) {
            append(before);
            before = ",";
            quoted(member.getKey());
            append(":");
            inner(member.getValue(), place.field(member.getKey()), isLiteral);
        }
        append(members.isEmpty() ? "{}" : "}");
    }

    private void array(List<JsonValue> items, Place place, boolean isLiteral) {
        append("[");
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                append(",");
            }
            inner(items.get(i), place.item(i), isLiteral);
        }
        append("]");
    }

    private void inner(JsonValue value, Place place, boolean isLiteral) {
        if (isLiteral) {
            literal(value, place);
        } else {
            value(value, place);
        }
    }

    private static SpillwayException wrong(JsonValue value, Place place, String expected) {
        return place.invalid("Here is %s, not %s".formatted(value.describe(), expected))
                .with(SpillwayException.FOUND, value.describe())
                .with(SpillwayException.EXPECTED, expected);
    }

    private void slot(List<Integer> columns, Layout layout) {
        endText();
        pieces.add(new Piece.Slot(columns, layout));
    }

    private void quoted(String string) {
        append("\"");
        text.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(string));
        append("\"");
    }

    private void append(String ascii) {
        text.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    private void endText() {
        if (text.size() > 0) {
            pieces.add(new Piece.Text(ByteBuffer.wrap(text.toByteArray()).asReadOnlyBuffer()));
            text.reset();
        }
    }
}
