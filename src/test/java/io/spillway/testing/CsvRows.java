package io.spillway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.QuoteMode;
import org.jspecify.annotations.Nullable;

/**
 * A CSV text as RFC 4180 has it, read by Apache Commons CSV: null is a field of nothing, the empty
 * text is {@code ""}.
 *
 * @param header the names of the columns
 * @param rows the fields of each row, null where there is nothing between the commas
 */
public record CsvRows(List<String> header, List<List<@Nullable String>> rows) {

    /** Tells nothing from an empty text, and does not skip lines that have nothing. */
    private static final CSVFormat FORMAT =
            CSVFormat.RFC4180
                    .builder()
                    .setQuoteMode(QuoteMode.ALL_NON_NULL)
                    .setIgnoreEmptyLines(false)
                    .get();

    /**
     * Reads a whole text.
     *
     * @throws AssertionError if a row has more or fewer fields than the header
     */
    public static CsvRows parse(String text) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (CSVParser parser = CSVParser.parse(text, FORMAT)) {
            parser.forEach(row -> rows.add(Arrays.asList(row.values())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (rows.isEmpty()) {
            throw new AssertionError("there is no header");
        }
        List<String> header = rows.removeFirst().stream().map(h -> h == null ? "" : h).toList();
        for (List<@Nullable String> row : rows) {
            if (row.size() != header.size()) {
                throw new AssertionError(row + " has not the columns " + header);
            }
        }
        return new CsvRows(header, rows);
    }
}
