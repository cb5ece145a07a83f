package io.spillway.oracle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A generated table: what DuckDB is asked to write. The same record always makes the same values.
 *
 * @param columns how each column's values come about
 * @param fileRows rows of each file, none included
 * @param codec Parquet compression
 * @param rowGroupRows rows of a row group
 */
record Table(List<ColumnData> columns, List<Integer> fileRows, String codec, int rowGroupRows) {

    private static final List<String> NAMES =
            List.of("a", "b", "c", "select", "Odd name", "quo\"te", "grün", "h");

    Table {
        columns = List.copyOf(columns);
        fileRows = List.copyOf(fileRows);
    }

    static Table make(Choices choices) {
        List<ColumnData> columns = new ArrayList<>();
        int count = 1 + choices.below(NAMES.size());
        for (int i = 0; i < count; i++) {
            columns.add(ColumnData.make(choices, NAMES.get(i)));
        }
        List<Integer> rows = new ArrayList<>();
        int files = 1 + choices.below(4);
        for (int i = 0; i < files; i++) {
            rows.add(choices.oneOf(3, 0, 1, 100, 2048, 2049, 5000));
        }
        return new Table(
                columns,
                rows,
                choices.oneOf("uncompressed", "snappy", "gzip", "zstd", "lz4_raw"),
                choices.oneOf(2048, 122_880));
    }

    List<Column> schema() {
        return columns.stream().map(ColumnData::column).toList();
    }

    /** Writes the files into a folder, named so that their order by name is their scan order. */
    List<Path> write(DuckDb duckdb, Path folder) {
        List<Path> files = new ArrayList<>();
        long first = 0;
        String items = String.join(", ", columns.stream().map(ColumnData::item).toList());
        for (int rows : fileRows) {
            Path file = folder.resolve("part-%02d.parquet".formatted(files.size()));
            duckdb.execute(
                    "COPY (SELECT %s FROM range(%d, %d) AS t(i)) TO '%s' (FORMAT parquet, COMPRESSION %s, ROW_GROUP_SIZE %d)"
                            .formatted(items, first, first + rows, file, codec, rowGroupRows));
            files.add(file);
            first += rows;
        }
        return files;
    }
}
