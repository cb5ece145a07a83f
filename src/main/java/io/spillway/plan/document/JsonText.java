package io.spillway.plan.document;

import java.util.Map;

/** Writes a parsed value as JSON again: the same document, without the spaces. */
final class JsonText {

    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder();

    private JsonText() {}

    /** Recursion is as deep as the document, which has a limit. */
    static String of(JsonValue value) {
        JsonText text = new JsonText();
        text.write(value);
        return text.out.toString();
    }

    private void write(JsonValue value) {
        switch (value) {
            case JsonValue.Obj(Map<String, JsonValue> members) -> {
                String before = "{";
                for (Map.Entry<String, JsonValue> member : members.entrySet()) {
                    out.append(before);
                    string(member.getKey());
                    out.append(':');
                    write(member.getValue());
                    before = ",";
                }
                out.append(members.isEmpty() ? "{}" : "}");
            }
            case JsonValue.Arr(var items) -> {
                String before = "[";
                for (JsonValue item : items) {
                    out.append(before);
                    write(item);
                    before = ",";
                }
                out.append(items.isEmpty() ? "[]" : "]");
            }
            case JsonValue.Str(String text) -> string(text);
            case JsonValue.Num(String text) -> out.append(text);
            case JsonValue.Bool(boolean truth) -> out.append(truth);
            case JsonValue.Null() -> out.append("null");
        }
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
