package io.spillway.catalog;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanFormat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * How the files of one source are put together.
 *
 * @param format the scan format, with its own options
 * @param formatOptions those options, as text; lists and maps as JSON
 * @param schema what becomes of files whose columns differ
 * @param partitioning whether the names of folders are columns
 * @param partitionTypes the types of such columns by name; those that are not named are text
 * @param onCorruptFile what becomes of a file that cannot be read as one of the format
 */
record ScanOptions(
        ScanFormat format,
        Map<String, String> formatOptions,
        SchemaRule schema,
        Partitioning partitioning,
        Map<String, ColumnType> partitionTypes,
        CorruptFileRule onCorruptFile) {

    private static final String SCHEMA = "schema";
    private static final String PARTITIONING = "hivePartitioning";
    private static final String TYPES = "partitionTypes";
    private static final String CORRUPT = "onCorruptFile";
    private static final JsonMapper JSON = new JsonMapper();

    ScanOptions {
        formatOptions = Map.copyOf(formatOptions);
        partitionTypes = Map.copyOf(partitionTypes);
    }

    /** Files whose columns differ. */
    enum SchemaRule {
        /**
         * All columns that there are, by name, each of a type that holds the values of all files.
         */
        UNION,
        /** The columns of the first file; an error if another file differs. */
        STRICT
    }

    /** Folders named {@code key=value} as columns. */
    enum Partitioning {
        /** If all files stand in such folders with the same keys in the same order. */
        DETECTED,
        /** An error if not all files stand in such folders with the same keys. */
        ON,
        OFF
    }

    /** A file that is corrupt when it is looked at first. */
    enum CorruptFileRule {
        /** An error that names the first one. */
        FAIL,
        /** Left out, and listed in the snapshot. */
        SKIP
    }

    /**
     * Reads options, as they stand in a plan or in the configuration. Values are strings, booleans,
     * numbers, lists or maps; a boolean or number may be written as a string.
     *
     * @throws SpillwayException {@code NOT_SUPPORTED} for a name that is no option, with the
     *     nearest one as suggestion; {@code INVALID_PLAN} for a value that an option does not have
     */
    static ScanOptions parse(ScanFormat format, Map<String, Object> options) {
        Map<String, Object> left = new HashMap<>(options);
        SchemaRule schema = choice(SCHEMA, left.remove(SCHEMA), SchemaRule.class, SchemaRule.UNION);
        CorruptFileRule corrupt =
                choice(CORRUPT, left.remove(CORRUPT), CorruptFileRule.class, CorruptFileRule.FAIL);
        Map<String, ColumnType> types = types(left.remove(TYPES));
        Partitioning partitioning = partitioning(left.remove(PARTITIONING), !types.isEmpty());
        left.keySet().forEach(name -> checkName(name, format));
        Map<String, String> own = new HashMap<>();
        left.forEach((name, value) -> own.put(name, text(value)));
        return new ScanOptions(
                own.isEmpty() ? format : format.with(own),
                own,
                schema,
                partitioning,
                types,
                corrupt);
    }

    private static String text(Object value) {
        return value instanceof Collection<?> || value instanceof Map<?, ?>
                ? JSON.writeValueAsString(value)
                : value.toString();
    }

    private static void checkName(String name, ScanFormat format) {
        if (format.options().contains(name)) {
            return;
        }
        List<String> names = new ArrayList<>(List.of(SCHEMA, PARTITIONING, TYPES, CORRUPT));
        format.options().stream().sorted().forEach(names::add);
        String suggestion = NearestName.of(name, names);
        String hint = suggestion == null ? "" : "; did you mean '%s'?".formatted(suggestion);
        throw new SpillwayException(
                        ErrorCode.NOT_SUPPORTED,
                        "The format '%s' has no option '%s'%s".formatted(format.name(), name, hint))
                .with(SpillwayException.FOUND, name)
                .with(SpillwayException.EXPECTED, names)
                .with(SpillwayException.SUGGESTION, suggestion);
    }

    /** One of an enum's values by its name in lower case. */
    private static <E extends Enum<E>> E choice(
            String option, @Nullable Object value, Class<E> type, E otherwise) {
        if (value == null) {
            return otherwise;
        }
        List<String> names = new ArrayList<>();
        for (E each : type.getEnumConstants()) {
            String name = each.name().toLowerCase(Locale.ROOT);
            if (name.equals(value)) {
                return each;
            }
            names.add(name);
        }
        throw invalid(option, value, names);
    }

    private static Partitioning partitioning(@Nullable Object value, boolean typed) {
        if (value == null) {
            return typed ? Partitioning.ON : Partitioning.DETECTED;
        }
        return switch (value.toString()) {
            case "true" -> Partitioning.ON;
            case "false" -> {
                if (typed) {
                    throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "'%s' has no meaning where '%s' is false"
                                    .formatted(TYPES, PARTITIONING));
                }
                yield Partitioning.OFF;
            }
            default -> throw invalid(PARTITIONING, value, List.of("true", "false"));
        };
    }

    private static Map<String, ColumnType> types(@Nullable Object value) {
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw invalid(TYPES, value, List.of("an object of column types by name"));
        }
        Map<String, ColumnType> types = new LinkedHashMap<>();
        map.forEach((name, type) -> types.put(String.valueOf(name), type(String.valueOf(type))));
        return types;
    }

    private static ColumnType type(String text) {
        ColumnType type = ColumnType.parse(text);
        return switch (type) {
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Utf8 _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    type;
            case ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw invalid(
                            TYPES, type, List.of("bool", "a number", "utf8", "a date or time"));
        };
    }

    private static SpillwayException invalid(String option, Object found, List<String> expected) {
        return new SpillwayException(
                        ErrorCode.INVALID_PLAN,
                        "The option '%s' is %s, not '%s'"
                                .formatted(option, String.join(" or ", expected), found))
                .with(SpillwayException.FOUND, found.toString())
                .with(SpillwayException.EXPECTED, expected);
    }
}
