package io.spillway.catalog;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns that the names of files' folders tell, and their values for each file. */
final class PartitionColumns {

    private static final ColumnType TEXT = new ColumnType.Utf8();

    private final List<ColumnSchema> columns;
    private final List<Map<String, @Nullable String>> values;

    private PartitionColumns(
            List<ColumnSchema> columns, List<Map<String, @Nullable String>> values) {
        this.columns = columns;
        this.values = values;
    }

    /** The columns, in the order of the folders. */
    List<ColumnSchema> columns() {
        return columns;
    }

    /** A file's values, as texts of literals of the columns' types, by name. */
    Map<String, @Nullable String> values(int file) {
        return values.isEmpty() ? Map.of() : values.get(file);
    }

    /**
     * Looks at the folders of files, as options ask.
     *
     * @throws SpillwayException {@code SCHEMA_MISMATCH} naming the file and the key, if a file does
     *     not have the same keys as the first though it must; {@code INVALID_CAST} naming the file
     *     and the column, if a value is not of the type that is declared; {@code INVALID_PLAN} if a
     *     type is declared for what is no key
     */
    static PartitionColumns of(List<ListedFile> files, ScanOptions options) {
        if (options.partitioning() == ScanOptions.Partitioning.OFF) {
            return new PartitionColumns(List.of(), List.of());
        }
        boolean must = options.partitioning() == ScanOptions.Partitioning.ON;
        List<Map<String, @Nullable String>> folders = new ArrayList<>(files.size());
        List<String> keys = List.of();
        for (ListedFile file : files) {
            Map<String, @Nullable String> own = HiveFolders.of(file);
            List<String> theirs = own == null ? List.of() : List.copyOf(own.keySet());
            keys = folders.isEmpty() ? theirs : keys;
            if (own == null || !theirs.equals(keys)) {
                if (must) {
                    throw different(file, keys, own == null ? null : theirs, files.getFirst());
                }
                return new PartitionColumns(List.of(), List.of());
            }
            folders.add(own);
        }
        for (String name : options.partitionTypes().keySet()) {
            if (!keys.contains(name)) {
                throw noKey(name, keys);
            }
        }
        return keys.isEmpty()
                ? new PartitionColumns(List.of(), List.of())
                : typed(files, folders, keys, options.partitionTypes());
    }

    private static PartitionColumns typed(
            List<ListedFile> files,
            List<Map<String, @Nullable String>> folders,
            List<String> keys,
            Map<String, ColumnType> types) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (String key : keys) {
            ColumnType type = types.getOrDefault(key, TEXT);
            boolean nullable = folders.stream().anyMatch(own -> own.get(key) == null);
            columns.add(new ColumnSchema(key, type, nullable));
            Map<String, String> known = new HashMap<>();
            for (int i = 0; i < files.size() && !type.equals(TEXT); i++) {
                String text = folders.get(i).get(key);
                if (text != null) {
                    ListedFile file = files.get(i);
                    folders.get(i)
                            .put(key, known.computeIfAbsent(text, t -> value(file, key, t, type)));
                }
            }
        }
        return new PartitionColumns(columns, folders);
    }

    /** The text of the literal that a folder's text stands for. */
    private static String value(ListedFile file, String key, String text, ColumnType type) {
        String value = null;
        SpillwayException cause = null;
        try {
            value =
                    ExpressionCompiler.constant(
                                    new Expression.Cast(
                                            new Expression.Literal(TEXT, text), type, false))
                            .value();
        } catch (SpillwayException e) {
            cause = e;
        }
        if (value == null) {
            throw new SpillwayException(
                            ErrorCode.INVALID_CAST,
                            "The folder '%s=%s' does not name a value of type %s: %s"
                                    .formatted(key, text, type, file.status().uri()),
                            cause)
                    .with(SpillwayException.FILE, file.status().uri())
                    .with(SpillwayException.COLUMN, key)
                    .with(SpillwayException.FOUND, text)
                    .with(SpillwayException.EXPECTED, type.toString());
        }
        return value;
    }

    private static SpillwayException different(
            ListedFile file,
            List<String> expected,
            @Nullable List<String> found,
            ListedFile first) {
        String what = found == null ? "have one key twice" : "have the keys " + found;
        return new SpillwayException(
                        ErrorCode.SCHEMA_MISMATCH,
                        "The folders of %s %s; those of %s have %s"
                                .formatted(
                                        file.status().uri(), what, first.status().uri(), expected))
                .with(SpillwayException.FILE, file.status().uri())
                .with(SpillwayException.EXPECTED, expected)
                .with(SpillwayException.FOUND, found);
    }

    private static SpillwayException noKey(String name, List<String> keys) {
        String suggestion = NearestName.of(name, keys);
        return new SpillwayException(
                        ErrorCode.INVALID_PLAN,
                        "There are no folders named '%s=…'%s"
                                .formatted(
                                        name,
                                        suggestion == null
                                                ? ""
                                                : "; did you mean '%s'?".formatted(suggestion)))
                .with(SpillwayException.COLUMN, name)
                .with(SpillwayException.EXPECTED, keys)
                .with(SpillwayException.SUGGESTION, suggestion);
    }
}
