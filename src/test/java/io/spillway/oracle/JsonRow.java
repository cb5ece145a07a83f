package io.spillway.oracle;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * A row as it stands in JSON: names in order, and cells whose numbers keep their digits.
 *
 * @param names the members' names
 * @param cells the members' values
 */
public record JsonRow(List<String> names, List<Cell> cells) {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    /** What a cell is in JSON. */
    public enum Kind {
        NULL,
        BOOL,
        NUMBER,
        STRING,
        LIST
    }

    /**
     * One value.
     *
     * @param text a number's digits as written, a string's value, empty for a list
     * @param items a list's
     */
    public record Cell(Kind kind, String text, List<Cell> items) {

        Cell(Kind kind, String text) {
            this(kind, text, List.of());
        }
    }

    /** Parses an object of plain values and lists of them, strictly. */
    public static JsonRow parse(String json) {
        List<String> names = new ArrayList<>();
        List<Cell> cells = new ArrayList<>();
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new AssertionError("not an object: " + json);
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                names.add(name);
                cells.add(cell(parser.nextToken(), parser));
            }
            if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
                throw new AssertionError("not one object: " + json);
            }
        }
        return new JsonRow(names, cells);
    }

    private static Cell cell(JsonToken token, JsonParser parser) {
        return switch (token) {
            case VALUE_NULL -> new Cell(Kind.NULL, "null");
            case VALUE_TRUE, VALUE_FALSE -> new Cell(Kind.BOOL, parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Cell(Kind.NUMBER, parser.getString());
            case VALUE_STRING -> new Cell(Kind.STRING, parser.getString());
            case START_ARRAY -> {
                List<Cell> items = new ArrayList<>();
                for (JsonToken t = parser.nextToken();
                        t != JsonToken.END_ARRAY;
                        t = parser.nextToken()) {
                    items.add(cell(t, parser));
                }
                yield new Cell(Kind.LIST, "", items);
            }
            default -> throw new AssertionError("neither a plain value nor a list: " + token);
        };
    }
}
