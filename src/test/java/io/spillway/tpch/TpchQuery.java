package io.spillway.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * One of TPC-H's queries, with its validation parameters.
 *
 * @param number 1 to 22
 * @param unlimited its text without the LIMIT clause
 * @param orderBy the columns that its rows are ordered by; of these alone the text says the order
 * @param limit the most rows it gives
 */
public record TpchQuery(int number, String unlimited, List<String> orderBy, long limit) {

    private static final Pattern TAIL =
            Pattern.compile(
                    "(?s)(?<body>.*?)(\nORDER BY (?<by>[^\n]+))?(\nLIMIT (?<limit>\\d+))?\\s*");

    private static final JsonMapper MAPPER = new JsonMapper();

    /** All of them, in order. */
    public static List<TpchQuery> all() {
        return IntStream.rangeClosed(1, 22).mapToObj(TpchQuery::of).toList();
    }

    /** The query of a number. */
    public static TpchQuery of(int number) {
        Matcher tail = TAIL.matcher(resource(number));
        if (!tail.matches()) {
            throw new AssertionError("query " + number);
        }
        String by = Objects.requireNonNullElse(tail.group("by"), "");
        String limit = tail.group("limit");
        String body = Objects.requireNonNull(tail.group("body"));
        return new TpchQuery(
                number,
                by.isEmpty() ? body : body + "\nORDER BY " + by,
                Arrays.stream(by.split(",", -1))
                        .map(key -> key.strip().replaceFirst(" DESC$", "").replace("\"", ""))
                        .filter(key -> !key.isEmpty())
                        .toList(),
                limit == null ? Long.MAX_VALUE : Long.parseLong(limit));
    }

    /** Its whole text. */
    public String sql() {
        return limit == Long.MAX_VALUE ? unlimited : unlimited + "\nLIMIT " + limit;
    }

    /** The plan that runs it, as JSON. */
    public String plan() {
        return MAPPER.writeValueAsString(Map.of("from", Map.of("sql", sql())));
    }

    @Override
    public String toString() {
        return "Q" + number;
    }

    private static String resource(int number) {
        String name = "/tpch/q%02d.sql".formatted(number);
        try (InputStream text = TpchQuery.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(text, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
