package io.spillway.scan.text;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The options of a format by name, each a text; lists and objects are JSON text. What is not there
 * has its default.
 */
public final class OptionValues {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Map<String, ?> values;

    public OptionValues(Map<String, ?> values) {
        this.values = values;
    }

    /** True or false. */
    public boolean truth(String name, boolean otherwise) {
        Object value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        return switch (value.toString()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(name, "true or false", value);
        };
    }

    /** A whole number from 0 on. */
    public int count(String name, int most) {
        Object value = values.get(name);
        if (value == null) {
            return 0;
        }
        try {
            int count = Integer.parseInt(value.toString());
            if (count >= 0 && count <= most) {
                return count;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw invalid(name, "a whole number from 0 to " + most, value);
    }

    /**
     * A single ASCII character other than a line's end or NUL, or 0 for an empty text.
     *
     * @param otherwise 0 if there is none
     */
    public byte character(String name, char otherwise) {
        Object value = values.get(name);
        String text = value == null ? otherwise == 0 ? "" : "" + otherwise : value.toString();
        if (text.isEmpty()) {
            return 0;
        }
        char only = text.charAt(0);
        if (text.length() > 1 || only >= 0x7F || only == '\n' || only == '\r' || only == 0) {
            throw invalid(name, "a single ASCII character", text);
        }
        return (byte) only;
    }

    /** Texts. */
    public List<String> texts(String name, List<String> otherwise) {
        Object value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        List<String> texts = new ArrayList<>();
        JsonNode node = json(name, value, "a list of strings");
        if (!node.isContainer()) {
            throw invalid(name, "a list of strings", value);
        }
        for (JsonNode each : node.values()) {
            if (!each.isString()) {
                throw invalid(name, "a list of strings", value);
            }
            texts.add(each.stringValue());
        }
        return texts;
    }

    /** Types by name, in the order written. */
    public Map<String, ColumnType> types(String name) {
        Object value = values.get(name);
        Map<String, ColumnType> types = new LinkedHashMap<>();
        if (value == null) {
            return types;
        }
        JsonNode node = json(name, value, "an object of column types by name");
        if (!node.isObject()) {
            throw invalid(name, "an object of column types by name", value);
        }
        node.properties()
                .forEach(
                        each -> {
                            if (!each.getValue().isString()) {
                                throw invalid(name, "an object of column types by name", value);
                            }
                            types.put(
                                    each.getKey(), ColumnType.parse(each.getValue().stringValue()));
                        });
        return types;
    }

    private static JsonNode json(String name, Object value, String expected) {
        try {
            return value instanceof String text ? MAPPER.readTree(text) : MAPPER.valueToTree(value);
        } catch (JacksonException e) {
            throw invalid(name, expected, value);
        }
    }

    /** An option with another value than it has. */
    public static SpillwayException invalid(String name, String expected, Object found) {
        return new SpillwayException(
                        ErrorCode.INVALID_PLAN,
                        "The option '%s' is %s, not '%s'"
                                .formatted(name, expected, TextFault.shown(found.toString())))
                .with(SpillwayException.FOUND, TextFault.shown(found.toString()))
                .with(SpillwayException.EXPECTED, expected);
    }
}
