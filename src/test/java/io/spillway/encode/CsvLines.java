package io.spillway.encode;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.QuoteMode;
import org.jspecify.annotations.Nullable;

/** Reads CSV as {@link CsvFormat} describes it to clients, by a library's parser. */
final class CsvLines {

    private CsvLines() {}

    /** The fields of text whose header is put in front and checked. */
    static List<List<@Nullable String>> parse(byte[] rows, RowSchema schema) {
        CsvFormat format = new CsvFormat(false);
        String text = Encoding.text(BatchEncoders.head(schema, format)) + Encoding.text(rows);
        if (!text.endsWith("\r\n")) {
            throw new AssertionError("the last line has no end");
        }
        boolean only = schema.size() == 1;
        boolean word = only && hasEmpty(schema.column(0).type());
        CSVFormat reader =
                CSVFormat.RFC4180
                        .builder()
                        // What stands in quotes is never null.
                        .setQuoteMode(QuoteMode.ALL_NON_NULL)
                        .setNullString(word ? "NULL" : "")
                        .get();
        List<List<@Nullable String>> lines = new ArrayList<>();
        try (CSVParser parser = CSVParser.parse(new StringReader(text), reader)) {
            for (CSVRecord line : parser) {
                List<@Nullable String> fields = new ArrayList<>();
                Collections.addAll(fields, line.values());
                if (fields.size() != schema.size()) {
                    throw new AssertionError("a line of " + fields);
                }
                lines.add(fields);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!lines.getFirst().equals(schema.names())) {
            throw new AssertionError("a header of " + lines.getFirst());
        }
        lines.removeFirst();
        if (only && !word) {
            lines.replaceAll(
                    line -> "".equals(line.get(0)) ? Collections.singletonList(null) : line);
        }
        return lines;
    }

    private static boolean hasEmpty(ColumnType type) {
        return type instanceof ColumnType.Utf8
                || type instanceof ColumnType.Binary
                || type.equals(new ColumnType.FixedBinary(0));
    }
}
