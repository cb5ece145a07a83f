package io.spillway.plan.document;

import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.DeliveryRequest.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what callers ask of deliveries. */
final class DeliveriesParser {

    private static final int MAX_CONCURRENCY = 10_000;
    private static final int MAX_ATTEMPTS = 1_000;
    private static final double MAX_RATE = 1_000_000;
    private static final Duration MAX_TIMEOUT = Duration.ofHours(1);
    private static final Duration MAX_DELAY = Duration.ofDays(7);

    private static final int DEFAULT_ATTEMPTS = 10;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration DEFAULT_INITIAL_DELAY = Duration.ofSeconds(1);
    private static final Duration DEFAULT_DELAY = Duration.ofMinutes(5);
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofHours(1);
    private static final Duration DEFAULT_DISABLE = Duration.ofHours(24);

    private DeliveriesParser() {}

    static DeliveryRequest delivery(JsonValue body, PlanLimits limits) {
        Fields delivery =
                Fields.of(body, Place.ROOT)
                        .only(
                                "job",
                                "plan",
                                "options",
                                "target",
                                "batch",
                                "body",
                                "bodyFormat",
                                "order",
                                "concurrency",
                                "rate",
                                "retry",
                                "splitOnTooLarge",
                                "disableAfter",
                                "capture");
        JsonValue concurrency = delivery.optional("concurrency");
        JsonValue rate = delivery.optional("rate");
        JsonValue capture = delivery.optional("capture");
        JsonValue template = delivery.optional("body");
        BodyFormat format = choice(delivery, "bodyFormat", BodyFormat.values(), BodyFormat.JSON);
        if (template != null && format != BodyFormat.JSON) {
            throw delivery.place("bodyFormat")
                    .invalid("A template makes JSON: leave out either 'body' or 'bodyFormat'");
        }
        return new DeliveryRequest(
                source(delivery, limits),
                TargetParser.target(delivery.required("target"), delivery.place("target")),
                GroupsParser.batch(delivery.required("batch"), delivery.place("batch")),
                template,
                format,
                choice(
                        delivery,
                        "order",
                        DeliveryRequest.Order.values(),
                        DeliveryRequest.Order.STRICT),
                concurrency == null
                        ? 1
                        : (int)
                                Fields.integer(
                                        concurrency,
                                        delivery.place("concurrency"),
                                        1,
                                        MAX_CONCURRENCY),
                rate == null ? null : rate(rate, delivery.place("rate")),
                retry(delivery.optional("retry"), delivery.place("retry")),
                delivery.flag("splitOnTooLarge"),
                duration(delivery, "disableAfter", DEFAULT_DISABLE, Duration.ofDays(365)),
                capture == null ? null : capture(capture, delivery.place("capture"), limits));
    }

    private static Source source(Fields delivery, PlanLimits limits) {
        if (delivery.oneOf("job", "plan").equals("job")) {
            if (delivery.optional("options") != null) {
                throw delivery.place("options")
                        .invalid("Options belong to a plan; the job has its own already");
            }
            return new Source.OfJob(delivery.requiredString("job"));
        }
        Map<String, JsonValue> submission = new LinkedHashMap<>();
        submission.put("plan", delivery.required("plan"));
        new PlanParser(limits).parse(delivery.required("plan"), delivery.place("plan"));
        JsonValue options = delivery.optional("options");
        if (options != null) {
            OptionsParser.parse(options, delivery.place("options"), limits);
            submission.put("options", options);
        }
        return new Source.OfPlan(JsonText.of(new JsonValue.Obj(submission)));
    }

    private static double rate(JsonValue value, Place place) {
        Fields rate = Fields.of(value, place).only("requestsPerSecond");
        JsonValue perSecond = rate.required("requestsPerSecond");
        if (perSecond instanceof JsonValue.Num number) {
            double asked = Double.parseDouble(number.text());
            if (asked > 0 && asked <= MAX_RATE) {
                return asked;
            }
        }
        throw Fields.wrongType(
                perSecond,
                rate.place("requestsPerSecond"),
                "a number above 0, up to %.0f".formatted(MAX_RATE));
    }

    private static DeliveryRequest.Retry retry(@Nullable JsonValue value, Place place) {
        Fields retry =
                Fields.of(value == null ? new JsonValue.Obj() : value, place)
                        .only(
                                "maxAttempts",
                                "timeout",
                                "initialDelay",
                                "maxDelay",
                                "maxRetryAfter");
        JsonValue attempts = retry.optional("maxAttempts");
        Duration initial = duration(retry, "initialDelay", DEFAULT_INITIAL_DELAY, MAX_DELAY);
        Duration longest = duration(retry, "maxDelay", DEFAULT_DELAY, MAX_DELAY);
        if (initial.compareTo(longest) > 0) {
            if (retry.optional("maxDelay") != null) {
                throw retry.place("maxDelay").invalid("'maxDelay' is shorter than 'initialDelay'");
            }
            longest = initial;
        }
        return new DeliveryRequest.Retry(
                attempts == null
                        ? DEFAULT_ATTEMPTS
                        : (int)
                                Fields.integer(
                                        attempts, retry.place("maxAttempts"), 1, MAX_ATTEMPTS),
                duration(retry, "timeout", DEFAULT_TIMEOUT, MAX_TIMEOUT),
                initial,
                longest,
                duration(retry, "maxRetryAfter", DEFAULT_RETRY_AFTER, MAX_DELAY));
    }

    private static Duration duration(Fields fields, String name, Duration usual, Duration longest) {
        JsonValue value = fields.optional(name);
        if (value == null) {
            return usual;
        }
        Duration asked = OptionsParser.duration(value, fields.place(name));
        if (asked.compareTo(longest) > 0 || asked.toMillis() == 0) {
            throw Fields.wrongType(
                    value, fields.place(name), "a duration from 1ms to %s".formatted(longest));
        }
        return asked;
    }

    private static DeliveryRequest.Capture capture(
            JsonValue value, Place place, PlanLimits limits) {
        Fields capture = Fields.of(value, place).only("columns", "keys", "dataset");
        Place columnsPlace = capture.place("columns");
        Fields columns = Fields.of(capture.required("columns"), columnsPlace);
        if (columns.members().isEmpty()) {
            throw columnsPlace.invalid("At least one column must be captured");
        }
        if (columns.members().size() > limits.columns()) {
            throw PlanLimits.tooLarge("columns", limits.columns(), "Too many columns are captured")
                    .with(SpillwayException.POINTER, columnsPlace.pointer());
        }
        List<DeliveryRequest.CapturedColumn> captured = new ArrayList<>();
        columns.members()
                .forEach(
                        (name, column) ->
                                captured.add(captured(name, column, columns.place(name))));
        JsonValue keys = capture.optional("keys");
        JsonValue dataset = capture.optional("dataset");
        return new DeliveryRequest.Capture(
                captured,
                keys == null ? List.of() : strings(keys, capture.place("keys")),
                dataset == null ? null : Fields.string(dataset, capture.place("dataset")));
    }

    private static DeliveryRequest.CapturedColumn captured(
            String name, JsonValue value, Place place) {
        if (value instanceof JsonValue.Str(String path)) {
            return new DeliveryRequest.CapturedColumn(name, path, null);
        }
        Fields column = Fields.of(value, place).only("path", "type");
        JsonValue type = column.optional("type");
        return new DeliveryRequest.CapturedColumn(
                name,
                column.requiredString("path"),
                type == null ? null : Fields.string(type, column.place("type")));
    }

    static List<String> strings(JsonValue value, Place place) {
        List<JsonValue> items = Fields.array(value, place);
        List<String> strings = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            strings.add(Fields.string(items.get(i), place.item(i)));
        }
        return strings;
    }

    /** The request without the source of its rows, but for a job, as JSON: what is stored of it. */
    static String stored(JsonValue body, String job) {
        Map<String, JsonValue> members = new LinkedHashMap<>(Fields.of(body, Place.ROOT).members());
        members.keySet().removeAll(List.of("job", "plan", "options"));
        members.put("job", new JsonValue.Str(job));
        return JsonText.of(new JsonValue.Obj(members));
    }

    /** One of the words for an enum's values; they are written in lower case. */
    private static <E extends Enum<E>> E choice(Fields fields, String name, E[] values, E usual) {
        JsonValue value = fields.optional(name);
        if (value == null) {
            return usual;
        }
        String word = Fields.string(value, fields.place(name));
        List<String> words =
                Stream.of(values).map(known -> known.name().toLowerCase(Locale.ROOT)).toList();
        int at = words.indexOf(word);
        if (at < 0) {
            throw fields.place(name)
                    .invalid("There is no %s '%s'".formatted(name, word))
                    .with(SpillwayException.FOUND, word)
                    .with(SpillwayException.EXPECTED, words)
                    .with(SpillwayException.SUGGESTION, NearestName.of(word, words));
        }
        return values[at];
    }

    static ReplayRequest replay(JsonValue body) {
        Fields replay = Fields.of(body, Place.ROOT).only("batches", "all");
        if (replay.oneOf("batches", "all").equals("all")) {
            if (!replay.flag("all")) {
                throw Fields.wrongType(replay.required("all"), replay.place("all"), "true");
            }
            return new ReplayRequest(null);
        }
        Place place = replay.place("batches");
        List<JsonValue> items = Fields.array(replay.required("batches"), place);
        if (items.isEmpty()) {
            throw place.invalid("At least one batch must be named");
        }
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            rows.add(Fields.integer(items.get(i), place.item(i), 0, Long.MAX_VALUE));
        }
        return new ReplayRequest(rows);
    }
}
