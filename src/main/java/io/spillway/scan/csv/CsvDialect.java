package io.spillway.scan.csv;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.text.OptionValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a CSV file is written; by default as RFC 4180 says, with a header. Characters are ASCII.
 *
 * @param delimiter between fields
 * @param quote around fields; 0 if there are no quoted fields
 * @param escape in front of a quote in a quoted field: the quote itself, as a rule
 * @param comment at the beginning of lines that are passed over; 0 if there are none
 * @param header whether the first record has the columns' names
 * @param skipLines lines in front of the header or the first record that are passed over
 * @param nullStrings what stands for NULL where it is not quoted
 * @param columns types that are given, by name; without a header all columns, in their order
 */
record CsvDialect(
        byte delimiter,
        byte quote,
        byte escape,
        byte comment,
        boolean header,
        int skipLines,
        List<String> nullStrings,
        Map<String, ColumnType> columns) {

    private static final String DELIMITER = "delimiter";
    private static final String QUOTE = "quote";
    private static final String ESCAPE = "escape";
    private static final String COMMENT = "comment";
    private static final String HEADER = "header";
    private static final String SKIP_LINES = "skipLines";
    private static final String NULL_STRINGS = "nullStrings";
    private static final String COLUMNS = "columns";
    private static final int MOST_LINES = 1_000_000;

    /** Names of the options. */
    static final Set<String> NAMES =
            Set.of(DELIMITER, QUOTE, ESCAPE, COMMENT, HEADER, SKIP_LINES, NULL_STRINGS, COLUMNS);

    static final CsvDialect DEFAULT = of(Map.of());

    CsvDialect {
        nullStrings = List.copyOf(nullStrings);
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    }

    /**
     * The dialect that options describe.
     *
     * @throws SpillwayException {@code INVALID_PLAN}, {@code TYPE_MISMATCH} for a type that is none
     *     or that no field can have
     */
    static CsvDialect of(Map<String, ?> options) {
        OptionValues values = new OptionValues(options);
        byte quote = values.character(QUOTE, '"');
        byte escape = values.character(ESCAPE, (char) quote);
        CsvDialect dialect =
                new CsvDialect(
                        values.character(DELIMITER, ','),
                        quote,
                        escape == 0 ? quote : escape,
                        values.character(COMMENT, (char) 0),
                        values.truth(HEADER, true),
                        values.count(SKIP_LINES, MOST_LINES),
                        values.texts(NULL_STRINGS, List.of("")),
                        values.types(COLUMNS));
        dialect.check();
        return dialect;
    }

    private void check() {
        if (delimiter == 0) {
            throw OptionValues.invalid(DELIMITER, "a single ASCII character", "");
        }
        if (quote == 0 && escape != 0) {
            throw new SpillwayException(
                    ErrorCode.INVALID_PLAN, "'escape' has no meaning where 'quote' is empty");
        }
        List<Byte> used = new ArrayList<>(List.of(delimiter));
        for (byte each : new byte[] {quote, escape == quote ? 0 : escape, comment}) {
            if (each != 0 && used.contains(each)) {
                throw new SpillwayException(
                        ErrorCode.INVALID_PLAN,
                        "'%s' cannot stand for two things in one file".formatted((char) each));
            }
            used.add(each);
        }
        columns.forEach(CsvDialect::check);
    }

    private static void check(String name, ColumnType type) {
        if (type.isNested()
                || type instanceof ColumnType.Binary
                || type instanceof ColumnType.FixedBinary) {
            throw new SpillwayException(
                            ErrorCode.TYPE_MISMATCH,
                            "The field '%s' of a CSV file cannot be of type %s"
                                    .formatted(name, type))
                    .with(SpillwayException.COLUMN, name)
                    .with(SpillwayException.FOUND, type.toString());
        }
    }

    boolean hasQuotes() {
        return quote != 0;
    }

    boolean hasComments() {
        return comment != 0;
    }

    /** Whether a quote in a quoted field is written twice. */
    boolean doublesQuotes() {
        return escape == quote;
    }
}
