package io.spillway.batch;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text form of types.
 *
 * <pre>
 * type   = name [ "(" argument [ "," argument ] ")" ]
 *        | "list<" type nulls ">"
 *        | "map<" type "," type nulls ">"
 *        | "struct<" [ field { "," field } ] ">"
 * field  = name " " type nulls
 * nulls  = [ " not null" ]
 * </pre>
 *
 * A field's name that is not a plain word stands in double quotes, a quote in it doubled.
 */
final class TypeText {

    /** Deeper types are refused, so that nobody's stack is at risk. */
    static final int MAX_DEPTH = 64;

    private static final Pattern FLAT =
            Pattern.compile("([a-z]+\\d*)(?:\\((\\w{1,9})(?:,(\\w{1,9}))?\\))?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
    private static final String NOT_NULL = " not null";

    private final String text;
    private int at;

    private TypeText(String text) {
        this.text = text;
    }

    static String of(ColumnType.Struct struct) {
        StringBuilder out = new StringBuilder("struct<");
        for (ColumnSchema field : struct.fields()) {
            out.append(out.charAt(out.length() - 1) == '<' ? "" : ",");
            String name = field.name();
            out.append(
                    WORD.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"');
            out.append(' ').append(field.type()).append(field.nullable() ? "" : NOT_NULL);
        }
        return out.append('>').toString();
    }

    static ColumnType parse(String text) {
        TypeText reader = new TypeText(text);
        ColumnType type = reader.type(0);
        if (reader.at != text.length()) {
            throw reader.malformed();
        }
        return type;
    }

    private ColumnType type(int depth) {
        if (depth > MAX_DEPTH) {
            throw malformed();
        }
        if (skip("list<")) {
            ColumnType element = type(depth + 1);
            boolean nullable = !skip(NOT_NULL);
            expect(">");
            return new ColumnType.ListOf(element, nullable);
        }
        if (skip("map<")) {
            ColumnType key = type(depth + 1);
            expect(",");
            ColumnType value = type(depth + 1);
            boolean nullable = !skip(NOT_NULL);
            expect(">");
            return new ColumnType.MapOf(key, value, nullable);
        }
        if (skip("struct<")) {
            return struct(depth);
        }
        Matcher flat = FLAT.matcher(text).region(at, text.length());
        ColumnType type = flat.lookingAt() ? flat(flat) : null;
        if (type == null) {
            throw malformed();
        }
        at = flat.end();
        return type;
    }

    private ColumnType struct(int depth) {
        List<ColumnSchema> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        while (!skip(">")) {
            if (!fields.isEmpty()) {
                expect(",");
            }
            String name = name();
            expect(" ");
            ColumnType type = type(depth + 1);
            fields.add(new ColumnSchema(name, type, !skip(NOT_NULL)));
            if (!names.add(name)) {
                throw malformed();
            }
        }
        return new ColumnType.Struct(fields);
    }

    private String name() {
        if (!skip("\"")) {
            Matcher word = WORD.matcher(text).region(at, text.length());
            if (!word.lookingAt()) {
                throw malformed();
            }
            at = word.end();
            return word.group();
        }
        StringBuilder name = new StringBuilder();
        while (true) {
            int quote = text.indexOf('"', at);
            if (quote < 0) {
                throw malformed();
            }
            name.append(text, at, quote);
            at = quote + 1;
            if (!skip("\"")) {
                return name.toString();
            }
            name.append('"');
        }
    }

    private boolean skip(String token) {
        if (text.startsWith(token, at)) {
            at += token.length();
            return true;
        }
        return false;
    }

    private void expect(String token) {
        if (!skip(token)) {
            throw malformed();
        }
    }

    private static @Nullable ColumnType flat(Matcher m) {
        String name = m.group(1);
        String first = m.group(2);
        String second = m.group(3);
        if (first == null) {
            return plain(name);
        }
        if (second == null) {
            return switch (name) {
                case "binary" -> isNumber(first) ? new ColumnType.FixedBinary(number(first)) : null;
                case "time" -> new ColumnType.Time(unit(first));
                case "timestamp" -> new ColumnType.Timestamp(unit(first), false);
                default -> null;
            };
        }
        return switch (name) {
            case "decimal" ->
                    isNumber(first) && isNumber(second)
                            ? new ColumnType.Decimal(number(first), number(second))
                            : null;
            case "timestamp" ->
                    second.equals("UTC") ? new ColumnType.Timestamp(unit(first), true) : null;
            default -> null;
        };
    }

    private static @Nullable ColumnType plain(String name) {
        return switch (name) {
            case "bool" -> new ColumnType.Bool();
            case "int8", "int16", "int32", "int64" ->
                    new ColumnType.Int(number(name.substring(3)), true);
            case "uint8", "uint16", "uint32", "uint64" ->
                    new ColumnType.Int(number(name.substring(4)), false);
            case "float16", "float32", "float64" ->
                    new ColumnType.FloatingPoint(number(name.substring(5)));
            case "utf8" -> new ColumnType.Utf8();
            case "binary" -> new ColumnType.Binary();
            case "date" -> new ColumnType.Date();
            default -> null;
        };
    }

    private static boolean isNumber(String argument) {
        return NUMBER.matcher(argument).matches();
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    private static ColumnType.TimeUnit unit(String symbol) {
        for (ColumnType.TimeUnit u : ColumnType.TimeUnit.values()) {
            if (u.symbol().equals(symbol)) {
                return u;
            }
        }
        throw new SpillwayException(ErrorCode.TYPE_MISMATCH, "'" + symbol + "' is not a time unit");
    }

    private SpillwayException malformed() {
        return new SpillwayException(
                ErrorCode.TYPE_MISMATCH, "'" + text + "' is not a column type");
    }
}
