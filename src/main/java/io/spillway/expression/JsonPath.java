package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON_VALUE: the scalar at a path in a JSON text. The path is of SQL's path language what leads to
 * one place: {@code $}, then member names behind a dot, in double quotes or not, and positions from
 * 0 in brackets, {@code lax} or {@code strict} in front. Of members with one name the first counts;
 * what stands behind the value is not read. An object, an array, a null and nothing at all are
 * null, as is a text that is no JSON.
 */
final class JsonPath implements TextValue.Operator {

    private static final JsonFactory FACTORY = new JsonFactory();

    /** A member's name, or a position in an array. */
    private sealed interface Step {}

    private record Member(String name) implements Step {}

    private record Position(int index) implements Step {}

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    static Value value(Expression.Call call, KernelBuilder builder) {
        String path = ConstantText.of(call.arguments().get(1), "The path of JSON_VALUE");
        Value text = builder.value(call.arguments().getFirst());
        if (!(text.type() instanceof ColumnType.Utf8)) {
            throw Failures.unsupported("JSON_VALUE of " + text.type());
        }
        return path == null
                ? new ConstantValue(new ColumnType.Utf8(), new Constant.Null())
                : new TextValue(parse(path), List.of(text));
    }

    private static JsonPath parse(String path) {
        String rest = path.strip();
        for (String mode : List.of("lax", "strict")) {
            if (rest.startsWith(mode + " ")) {
                rest = rest.substring(mode.length()).strip();
            }
        }
        if (!rest.startsWith("$")) {
            throw invalid(path);
        }
        List<Step> steps = new ArrayList<>();
        int at = 1;
        while (at < rest.length()) {
            int end;
            if (rest.startsWith(".\"", at)) {
                end = rest.indexOf('"', at + 2);
                steps.add(new Member(part(path, rest, at + 2, end)));
                end++;
            } else if (rest.charAt(at) == '.') {
                end = at + 1;
                while (end < rest.length() && Character.isUnicodeIdentifierPart(rest.charAt(end))) {
                    end++;
                }
                steps.add(new Member(part(path, rest, at + 1, end)));
            } else if (rest.charAt(at) == '[') {
                end = rest.indexOf(']', at);
                String index = part(path, rest, at + 1, end).strip();
                if (!index.matches("[0-9]{1,9}")) {
                    throw invalid(path);
                }
                steps.add(new Position(Integer.parseInt(index)));
                end++;
            } else {
                throw invalid(path);
            }
            at = end;
        }
        return new JsonPath(steps);
    }

    private static String part(String path, String text, int from, int to) {
        if (to <= from) {
            throw invalid(path);
        }
        return text.substring(from, to);
    }

    private static RuntimeException invalid(String path) {
        return Regex.invalid(
                "'%s' is no path of JSON_VALUE: $, then .name, .\"name\" or [position]"
                        .formatted(path));
    }

    @Override
    public void write(TextArguments a, BytesOutput out) {
        byte[] text = new byte[a.length(0)];
        OffHeap.read(a.address(0), text, 0, text.length);
        String value = find(text);
        if (value == null) {
            out.endNull();
        } else {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            out.append(bytes, bytes.length);
        }
    }

    private @Nullable String find(byte[] text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            JsonToken token = parser.nextToken();
            for (Step step : steps) {
                token =
                        switch (step) {
                            case Member(String name) -> member(parser, token, name);
                            case Position(int index) -> element(parser, token, index);
                        };
            }
            return token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL
                    ? parser.getString()
                    : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static @Nullable JsonToken member(
            JsonParser parser, @Nullable JsonToken token, String name) {
        if (token != JsonToken.START_OBJECT) {
            return null;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean found = parser.currentName().equals(name);
            JsonToken value = parser.nextToken();
            if (found) {
                return value;
            }
            parser.skipChildren();
        }
        return null;
    }

    private static @Nullable JsonToken element(
            JsonParser parser, @Nullable JsonToken token, int index) {
        if (token != JsonToken.START_ARRAY) {
            return null;
        }
        JsonToken value = parser.nextToken();
        for (int i = 0; i < index && value != JsonToken.END_ARRAY && value != null; i++) {
            parser.skipChildren();
            value = parser.nextToken();
        }
        return value == JsonToken.END_ARRAY ? null : value;
    }
}
