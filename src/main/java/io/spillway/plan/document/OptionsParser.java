package io.spillway.plan.document;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code options} of a request. A duration is ISO 8601 ({@code PT24H}, {@code P7D}) or a
 * whole number with a unit ({@code 90s}, {@code 30m}, {@code 24h}, {@code 7d}); an amount of memory
 * is a number of bytes or a whole number with a unit ({@code 256MiB}, {@code 1GB}; B, KiB, MiB,
 * GiB, TiB count by 1,024, KB, MB, GB, TB by 1,000).
 */
final class OptionsParser {

    private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18}) ?([A-Za-z]+)");
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private OptionsParser() {}

    static PlanOptions parse(JsonValue value, Place place, PlanLimits limits) {
        Fields options =
                Fields.of(value, place).only("engine", "name", "ttl", "memoryLimit", "batchRows");
        JsonValue engine = options.optional("engine");
        JsonValue name = options.optional("name");
        JsonValue ttl = options.optional("ttl");
        JsonValue memory = options.optional("memoryLimit");
        JsonValue rows = options.optional("batchRows");
        return new PlanOptions(
                engine == null ? PlanOptions.Engine.LOCAL : engine(engine, options.place("engine")),
                name == null ? null : name(name, options.place("name"), limits),
                ttl == null ? null : duration(ttl, options.place("ttl")),
                memory == null ? null : bytes(memory, options.place("memoryLimit")),
                rows == null
                        ? null
                        : (int)
                                Fields.integer(
                                        rows,
                                        options.place("batchRows"),
                                        1,
                                        PlanOptions.MAX_BATCH_ROWS));
    }

    private static PlanOptions.Engine engine(JsonValue value, Place place) {
        String name = Fields.string(value, place);
        return switch (name) {
            case "local" -> PlanOptions.Engine.LOCAL;
            case "spark" ->
                    throw place.error(
                            ErrorCode.NOT_SUPPORTED, "The engine 'spark' is not supported yet");
            default ->
                    throw place.invalid("There is no engine '%s'".formatted(name))
                            .with(SpillwayException.FOUND, name)
                            .with(SpillwayException.EXPECTED, List.of("local"))
                            .with(
                                    SpillwayException.SUGGESTION,
                                    NearestName.of(name, List.of("local")));
        };
    }

    private static String name(JsonValue value, Place place, PlanLimits limits) {
        String name = Fields.string(value, place);
        if (name.length() > limits.nameLength()) {
            throw PlanLimits.tooLarge("nameLength", limits.nameLength(), "The name is too long")
                    .with(SpillwayException.POINTER, place.pointer());
        }
        return name;
    }

    static Duration duration(JsonValue value, Place place) {
        Duration duration = value instanceof JsonValue.Str(var text) ? duration(text) : null;
        if (duration == null
                || duration.isNegative()
                || duration.isZero()
                || duration.compareTo(LONGEST) > 0) {
            throw Fields.wrongType(
                    value, place, "a positive duration such as \"PT24H\", \"30m\" or \"7d\"");
        }
        return duration;
    }

    private static @Nullable Duration duration(String text) {
        Matcher m = QUANTITY.matcher(text);
        try {
            if (!m.matches()) {
                return Duration.parse(text);
            }
            long n = Long.parseLong(m.group(1));
            return switch (m.group(2)) {
                case "ms" -> Duration.ofMillis(n);
                case "s" -> Duration.ofSeconds(n);
                case "m" -> Duration.ofMinutes(n);
                case "h" -> Duration.ofHours(n);
                case "d" -> Duration.ofDays(n);
                default -> null;
            };
        } catch (DateTimeParseException | ArithmeticException e) {
            return null;
        }
    }

    static long bytes(JsonValue value, Place place) {
        Long bytes =
                switch (value) {
                    case JsonValue.Num number -> number.int64();
                    case JsonValue.Str(var text) -> bytes(text);
                    default -> null;
                };
        if (bytes == null || bytes <= 0) {
            throw Fields.wrongType(
                    value, place, "a positive number of bytes", "a text such as \"256MiB\"");
        }
        return bytes;
    }

    private static @Nullable Long bytes(String text) {
        Matcher m = QUANTITY.matcher(text);
        if (!m.matches()) {
            return null;
        }
        long unit =
                switch (m.group(2).toLowerCase(Locale.ROOT)) {
                    case "b" -> 1;
                    case "kib" -> 1L << 10;
                    case "mib" -> 1L << 20;
                    case "gib" -> 1L << 30;
                    case "tib" -> 1L << 40;
                    case "kb" -> 1_000;
                    case "mb" -> 1_000_000;
                    case "gb" -> 1_000_000_000;
                    case "tb" -> 1_000_000_000_000L;
                    default -> 0;
                };
        try {
            return Math.multiplyExact(Long.parseLong(m.group(1)), unit);
        } catch (ArithmeticException e) {
            return null;
        }
    }
}
