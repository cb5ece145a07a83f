package io.spillway.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Parquet files that DuckDB makes, once for all runs. */
final class DataFolder {

    private static final int ROW_GROUP_ROWS = 122_880;
    private static final String DONE = "_COMPLETE";

    private DataFolder() {}

    /** The rows of a file. */
    interface Rows {

        /** A query for rows {@code [first, first + count)}, in order. */
        String select(long first, long count);
    }

    /**
     * Makes zstd files of equal size unless they are there already.
     *
     * @param rows rows of all files together; a multiple of their number
     * @param options further ones of DuckDB's writer, each after a comma
     * @return the files, in order
     */
    static List<Path> make(Path folder, int files, long rows, String options, Rows query)
            throws IOException, SQLException {
        if (rows <= 0 || rows % files != 0) {
            throw new IllegalArgumentException(
                    rows + " rows cannot be spread over " + files + " files");
        }
        Path done = folder.resolve(DONE);
        boolean made = Files.exists(done) && Files.readString(done).equals(Long.toString(rows));
        Files.createDirectories(folder);
        List<Path> all = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            long each = rows / files;
            for (int i = 0; i < files; i++) {
                Path file = folder.resolve("part-%02d.parquet".formatted(i));
                all.add(file);
                if (!made) {
                    statement.execute(
                            "COPY (%s) TO '%s' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE %d%s)"
                                    .formatted(
                                            query.select(i * each, each),
                                            file.toString().replace("'", "''"),
                                            ROW_GROUP_ROWS,
                                            options));
                }
            }
        }
        Files.writeString(done, Long.toString(rows));
        return all;
    }
}
