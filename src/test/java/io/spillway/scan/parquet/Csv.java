package io.spillway.scan.parquet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The suite's text files of values: quotes without line ends in them, nothing for null. */
final class Csv {

    private static final Pattern CELL = Pattern.compile("(?:\"([^\"]*)\"|([^,]*))(,|$)");

    private Csv() {}

    /** The rows below the header. */
    static List<List<@Nullable String>> rows(Path file) throws IOException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            rows.add(row(line));
        }
        return rows.subList(1, rows.size());
    }

    private static List<@Nullable String> row(String line) {
        List<@Nullable String> row = new ArrayList<>();
        Matcher cell = CELL.matcher(line);
        do {
            if (!cell.find()) {
                throw new AssertionError(line);
            }
            String quoted = cell.group(1);
            String bare = cell.group(2);
            row.add(quoted != null ? quoted : bare == null || bare.isEmpty() ? null : bare);
        } while (!cell.group(3).isEmpty());
        return row;
    }
}
