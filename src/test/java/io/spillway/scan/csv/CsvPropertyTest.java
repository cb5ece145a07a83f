package io.spillway.scan.csv;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.RowSchema;
import io.spillway.scan.ScanTask;
import io.spillway.scan.text.TextScans;
import io.spillway.scan.text.TextSyntax;
import io.spillway.storage.FileStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random tables, written strictly and cut anywhere, come back as they were. */
class CsvPropertyTest {

    private static final String LETTERS = "ab ,;\"\\\n\r\t'#é漢😀";

    @TempDir Path folder;

    static List<Long> seeds() {
        return seeds(0, 60);
    }

    static List<Long> manySeeds() {
        return seeds(60, 1_000);
    }

    private static List<Long> seeds(int from, int to) {
        List<Long> seeds = new ArrayList<>();
        for (long seed = from; seed < to; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void tablesComeBack(long seed) {
        check(new Random(seed));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void manyTablesComeBack(long seed) {
        check(new Random(seed));
    }

    private void check(Random random) {
        Writer writer = Writer.any(random);
        int columns = 1 + random.nextInt(5);
        List<List<@Nullable String>> table = table(random, columns, random.nextInt(60));
        String text = writer.write(table, columns);
        TextSyntax syntax = CsvSyntax.DEFAULT.with(writer.options(columns));
        try (TextScans scans = new TextScans(folder, syntax, 1 + random.nextInt(40))) {
            FileStatus file = scans.write(text);
            RowSchema schema = scans.schema(file);
            assertThat(schema.size()).isEqualTo(columns);
            assertThat(scans.rows(file, 1 + random.nextInt(20))).as(text).isEqualTo(table);
            checkSlices(random, scans, file, schema);
        }
    }

    /** Any rows of any partition, with any columns, are those of the whole. */
    private static void checkSlices(
            Random random, TextScans scans, FileStatus file, RowSchema schema) {
        for (ScanTask task : scans.tasks(file, schema)) {
            List<List<@Nullable String>> all = scans.read(task, 1000);
            int from = random.nextInt((int) task.rows() + 1);
            int to = from + random.nextInt((int) task.rows() - from + 1);
            int column = random.nextInt(schema.size());
            RowSchema one = new RowSchema(List.of(schema.column(column)));
            ScanTask part =
                    new ScanTask(file, task.partition(), from, to, one, null, 0, task.range());
            List<List<@Nullable String>> expected = new ArrayList<>();
            all.subList(from, to)
                    .forEach(row -> expected.add(Collections.singletonList(row.get(column))));
            assertThat(scans.read(part, 1 + random.nextInt(3))).isEqualTo(expected);
        }
    }

    private static List<List<@Nullable String>> table(Random random, int columns, int rows) {
        List<List<@Nullable String>> table = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            List<@Nullable String> row = new ArrayList<>();
            for (int c = 0; c < columns; c++) {
                row.add(random.nextInt(4) == 0 ? null : value(random));
            }
            table.add(row);
        }
        return table;
    }

    private static String value(Random random) {
        int[] points = LETTERS.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(20) == 0 ? 100 : random.nextInt(8);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }

    /** Writes one dialect; what need not be quoted is sometimes. */
    private record Writer(
            Random random,
            char delimiter,
            char escape,
            boolean comments,
            boolean header,
            String end) {

        static Writer any(Random random) {
            return new Writer(
                    random,
                    ",;\t|".charAt(random.nextInt(4)),
                    random.nextInt(4) == 0 ? '\\' : '"',
                    random.nextInt(4) == 0,
                    random.nextBoolean(),
                    List.of("\n", "\r\n", "\r\r\n").get(random.nextInt(3)));
        }

        Map<String, String> options(int columns) {
            Map<String, String> options = new LinkedHashMap<>();
            options.put("delimiter", "" + delimiter);
            options.put("escape", "" + escape);
            options.put("header", "" + header);
            if (comments) {
                options.put("comment", "#");
            }
            StringBuilder types = new StringBuilder();
            for (int c = 0; c < columns; c++) {
                types.append(c == 0 ? "" : ",").append("\"c").append(c).append("\":\"utf8\"");
            }
            options.put("columns", "{" + types + "}");
            return options;
        }

        String write(List<List<@Nullable String>> table, int columns) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "\uFEFF" : "");
            if (header) {
                for (int c = 0; c < columns; c++) {
                    text.append(c == 0 ? "" : delimiter).append('c').append(c);
                }
                text.append(end);
            }
            for (int i = 0; i < table.size(); i++) {
                if (comments && random.nextInt(4) == 0) {
                    text.append("# a \" that counts for nothing").append(end);
                }
                if (columns > 1 && random.nextInt(8) == 0) {
                    text.append(end);
                }
                for (int c = 0; c < columns; c++) {
                    text.append(c == 0 ? "" : "" + delimiter);
                    append(text, table.get(i).get(c));
                }
                // An empty last line is no row, even where a row is a single NULL.
                boolean optional = i == table.size() - 1 && !(columns == 1 && isEmpty(table, i));
                text.append(optional && random.nextBoolean() ? "" : end);
            }
            return text.toString();
        }

        private static boolean isEmpty(List<List<@Nullable String>> table, int row) {
            return table.get(row).getFirst() == null;
        }

        private void append(StringBuilder text, @Nullable String value) {
            if (value == null) {
                return;
            }
            boolean quoted =
                    value.isEmpty()
                            || value.indexOf(delimiter) >= 0
                            || value.indexOf('"') >= 0
                            || value.indexOf('\n') >= 0
                            || value.indexOf('\r') >= 0
                            || (comments && value.startsWith("#"));
            if (!quoted && random.nextBoolean()) {
                text.append(value);
                return;
            }
            String escaped = escape == '"' ? value : value.replace("\\", "\\\\");
            text.append('"').append(escaped.replace("\"", escape + "\"")).append('"');
        }
    }
}
