package io.spillway.delivery.capture;

import io.spillway.delivery.capture.ValueKind.Scalar;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.JsonStringEncoder;

/** Copies values token by token, numbers as they were written, and tells what they are. */
final class JsonCopy {

    /** Whole numbers with so many digits are 64-bit ones for certain. */
    private static final int INT_DIGITS = 18;

    private final ByteArrayOutputStream out;

    JsonCopy(ByteArrayOutputStream out) {
        this.out = out;
    }

    /**
     * Copies a value, which is read to its end. Recurses as deep as it, which the parser limits.
     *
     * @param token its first token
     */
    ValueKind copy(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_ARRAY -> array(parser);
            case START_OBJECT -> object(parser);
            case VALUE_STRING -> {
                quoted(parser.getString());
                yield ValueKind.of(Scalar.TEXT);
            }
            case VALUE_NUMBER_INT -> {
                String digits = parser.getString();
                ascii(digits);
                yield ValueKind.of(isInt64(digits) ? Scalar.INT : Scalar.FLOAT);
            }
            case VALUE_NUMBER_FLOAT -> {
                ascii(parser.getString());
                yield ValueKind.of(Scalar.FLOAT);
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                ascii(token == JsonToken.VALUE_TRUE ? "true" : "false");
                yield ValueKind.of(Scalar.BOOL);
            }
            case VALUE_NULL -> {
                ascii("null");
                yield ValueKind.NULL;
            }
            case NOT_AVAILABLE, PROPERTY_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT ->
                    throw new IllegalStateException("no value begins with " + token);
        };
    }

    private static boolean isInt64(String digits) {
        if (digits.length() <= INT_DIGITS) {
            return true;
        }
        try {
            Long.parseLong(digits);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private ValueKind array(JsonParser parser) {
        ValueKind element = ValueKind.NULL;
        char before = '[';
        for (JsonToken item = parser.nextToken();
                item != JsonToken.END_ARRAY;
                item = parser.nextToken()) {
            out.write(before);
            before = ',';
            element = element.and(copy(parser, item));
        }
        ascii(before == '[' ? "[]" : "]");
        return ValueKind.listOf(element);
    }

    private ValueKind object(JsonParser parser) {
        char before = '{';
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            out.write(before);
            before = ',';
            quoted(parser.currentName());
            out.write(':');
            copy(parser, parser.nextToken());
        }
        ascii(before == '{' ? "{}" : "}");
        return ValueKind.JSON;
    }

    private void quoted(String text) {
        out.write('"');
        out.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(text));
        out.write('"');
    }

    private void ascii(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
