package io.spillway.plan.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parsed JSON value. Numbers keep their text: whoever reads one decides what it may be. */
public sealed interface JsonValue {

    /** What it is, in an error: {@code a string}, {@code the number 1.5}. */
    String describe();

    /** An object, its members in the order written. Keys are unique. */
    record Obj(Map<String, JsonValue> members) implements JsonValue {

        public Obj() {
            this(new LinkedHashMap<>());
        }

        @Override
        public String describe() {
            return "an object";
        }
    }

    /** An array. */
    record Arr(List<JsonValue> items) implements JsonValue {

        public Arr() {
            this(new ArrayList<>());
        }

        @Override
        public String describe() {
            return "an array";
        }
    }

    /** A string, without unpaired surrogates. */
    record Str(String value) implements JsonValue {
        @Override
        public String describe() {
            return "the string \"" + abbreviate(value) + '"';
        }
    }

    /** A number, as written. */
    record Num(String text) implements JsonValue {
        @Override
        public String describe() {
            return "the number " + abbreviate(text);
        }

        /** Written without fraction and exponent. */
        boolean integer() {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '.' || c == 'e' || c == 'E') {
                    return false;
                }
            }
            return true;
        }

        /** The number if it was written as an integer and is a 64-bit one, else null. */
        @Nullable Long int64() {
            if (!integer()) {
                return null;
            }
            try {
                return Long.valueOf(text);
            } catch (NumberFormatException e) {
                return null;
            }
        }
    }

    /** {@code true} or {@code false}. */
    record Bool(boolean value) implements JsonValue {
        @Override
        public String describe() {
            return Boolean.toString(value);
        }
    }

    /** {@code null}. */
    record Null() implements JsonValue {
        @Override
        public String describe() {
            return "null";
        }
    }

    private static String abbreviate(String text) {
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
}
