package io.spillway.testing;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Texts inside of a JSON text, as they stand there, each checked strictly. */
public final class JsonTexts {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private JsonTexts() {}

    /**
     * The elements of an array of objects or arrays.
     *
     * @throws RuntimeException of the parser, if the text is no JSON
     */
    public static List<String> elements(String array) {
        List<String> elements = new ArrayList<>();
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), array)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new AssertionError("not an array: " + array);
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(value(parser, array));
            }
            expectEnd(parser, array);
        }
        return elements;
    }

    /** The elements of an array that is a member of an object. */
    public static List<String> elements(String object, String member) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), object)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new AssertionError("not an object: " + object);
            }
            String found = null;
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken token = parser.nextToken();
                if (name.equals(member) && token == JsonToken.START_ARRAY) {
                    found = value(parser, object);
                } else {
                    parser.skipChildren();
                }
            }
            expectEnd(parser, object);
            if (found == null) {
                throw new AssertionError("there is no array " + member + " in " + object);
            }
            return elements(found);
        }
    }

    private static String value(JsonParser parser, String text) {
        if (!parser.currentToken().isStructStart()) {
            throw new AssertionError("not an object or array: " + parser.getString());
        }
        long from = parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        return text.substring((int) from, (int) parser.currentLocation().getCharOffset());
    }

    private static void expectEnd(JsonParser parser, String text) {
        if (parser.nextToken() != null) {
            throw new AssertionError("something follows the text: " + text);
        }
    }
}
