package io.spillway.plan.document;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayDeque;
import java.util.Deque;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a body into a tree: token by token, without recursion, and within limits that are checked
 * as the tokens come, so that no body can exhaust stack or heap before it is refused.
 */
final class JsonReader {

    private final PlanLimits limits;
    private final JsonFactory factory;

    JsonReader(PlanLimits limits) {
        this.limits = limits;
        // Depth and size are checked here, with messages of our own; the parser's limits only must
        // not come first.
        this.factory =
                JsonFactory.builder()
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(limits.jsonDepth() + 8)
                                        .maxNumberLength(limits.bytes())
                                        .maxStringLength(limits.bytes())
                                        .maxNameLength(limits.bytes())
                                        .build())
                        .build();
    }

    /**
     * Reads one value.
     *
     * @throws SpillwayException {@code MALFORMED_JSON} with the byte offset as position, {@code
     *     INVALID_PLAN} for a key that stands twice in an object, {@code PLAN_TOO_LARGE}, {@code
     *     PLAN_TOO_DEEP}
     */
    JsonValue read(byte[] body) {
        if (body.length > limits.bytes()) {
            throw PlanLimits.tooLarge(
                    "bytes", limits.bytes(), "The body has %d bytes".formatted(body.length));
        }
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), body)) {
            return new Tree(parser).read();
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    private static SpillwayException malformed(JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        String message = e.getOriginalMessage();
        SpillwayException failure =
                new SpillwayException(
                        ErrorCode.MALFORMED_JSON,
                        at == null
                                ? message
                                : "%s (line %d, column %d)"
                                        .formatted(message, at.getLineNr(), at.getColumnNr()),
                        e);
        return at == null || at.getByteOffset() < 0
                ? failure
                : failure.with(SpillwayException.POSITION, at.getByteOffset());
    }

    /** One body under way: the containers that are open, innermost first. */
    private final class Tree {

        private record Open(JsonValue container, Place place) {}

        private final JsonParser parser;
        private final Deque<Open> open = new ArrayDeque<>();

        Tree(JsonParser parser) {
            this.parser = parser;
        }

        JsonValue read() {
            JsonToken token = parser.nextToken();
            if (token == null) {
                throw new SpillwayException(ErrorCode.MALFORMED_JSON, "The body is empty")
                        .with(SpillwayException.POSITION, 0L);
            }
            JsonValue root = value(token, Place.ROOT);
            String name = "";
            while (!open.isEmpty()) {
                Open inner = open.element();
                token = parser.nextToken();
                switch (token) {
                    case null ->
                            throw new SpillwayException(
                                    ErrorCode.MALFORMED_JSON, "The body ends too early");
                    case PROPERTY_NAME -> name = text(inner.place);
                    case END_OBJECT, END_ARRAY -> open.remove();
                    default -> add(inner, name, token);
                }
            }
            if (parser.nextToken() != null) {
                TokenStreamLocation at = parser.currentTokenLocation();
                throw new SpillwayException(
                                ErrorCode.MALFORMED_JSON,
                                "Something follows the end of the document (line %d, column %d)"
                                        .formatted(at.getLineNr(), at.getColumnNr()))
                        .with(SpillwayException.POSITION, at.getByteOffset());
            }
            return root;
        }

        private void add(Open inner, String name, JsonToken token) {
            if (inner.container instanceof JsonValue.Obj(var members)) {
                Place place = inner.place.field(name);
                if (members.containsKey(name)) {
                    throw place.invalid("The field '%s' is there twice".formatted(name));
                }
                members.put(name, value(token, place));
            } else if (inner.container instanceof JsonValue.Arr(var items)) {
                items.add(value(token, inner.place.item(items.size())));
            }
        }

        private JsonValue value(JsonToken token, Place place) {
            return switch (token) {
                case START_OBJECT -> enter(new JsonValue.Obj(), place);
                case START_ARRAY -> enter(new JsonValue.Arr(), place);
                case VALUE_STRING -> new JsonValue.Str(text(place));
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(place);
                case VALUE_TRUE -> new JsonValue.Bool(true);
                case VALUE_FALSE -> new JsonValue.Bool(false);
                case VALUE_NULL -> new JsonValue.Null();
                case NOT_AVAILABLE, PROPERTY_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT ->
                        throw new IllegalStateException("Unexpected token " + token);
            };
        }

        private JsonValue enter(JsonValue container, Place place) {
            open.push(new Open(container, place));
            if (open.size() > limits.jsonDepth()) {
                throw PlanLimits.tooDeep(
                                "jsonDepth",
                                limits.jsonDepth(),
                                "The body nests arrays and objects too deeply")
                        .with(
                                SpillwayException.POSITION,
                                parser.currentTokenLocation().getByteOffset());
            }
            return container;
        }

        private JsonValue number(Place place) {
            String text = parser.getString();
            if (text.length() > limits.literalDigits()) {
                throw PlanLimits.tooLarge(
                                "literalDigits", limits.literalDigits(), "A number is too long")
                        .with(SpillwayException.POINTER, place.pointer());
            }
            return new JsonValue.Num(text);
        }

        /** The current string or name. */
        private String text(Place place) {
            String text = parser.getString();
            for (int i = 0; i < text.length(); i++) {
                if (Character.isSurrogate(text.charAt(i))) {
                    if (i + 1 < text.length()
                            && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                        i++;
                    } else {
                        throw place.error(
                                ErrorCode.MALFORMED_JSON,
                                "A string holds half a surrogate pair, which is no character");
                    }
                }
            }
            return text;
        }
    }
}
