package io.spillway.scan.parquet;

import io.spillway.batch.RowSchema;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DuckDB, which writes files and says what is in them. */
public final class DuckDb implements AutoCloseable {

    private final Connection connection;

    public DuckDb() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        run("SET threads = 1");
    }

    void run(String sql) throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute(sql);
        }
    }

    public void write(String select, Path file, String options) throws SQLException {
        run("COPY (" + select + ") TO '" + file + "' (FORMAT parquet, " + options + ")");
    }

    /** Rows of a query, floating-point numbers in Java's form and all else as DuckDB's text. */
    List<List<@Nullable String>> rows(String sql) throws SQLException {
        try (Statement s = connection.createStatement();
                ResultSet r = s.executeQuery(sql)) {
            int columns = r.getMetaData().getColumnCount();
            List<List<@Nullable String>> rows = new ArrayList<>();
            while (r.next()) {
                List<@Nullable String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(text(r.getObject(i)));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    /** Rows of a query, its columns in the form that {@link Values} gives columns of a schema. */
    List<List<@Nullable String>> rows(String sql, RowSchema schema) throws SQLException {
        try (Statement s = connection.createStatement();
                ResultSet r = s.executeQuery(sql)) {
            List<List<@Nullable String>> rows = new ArrayList<>();
            while (r.next()) {
                List<@Nullable String> row = new ArrayList<>();
                for (int i = 0; i < schema.size(); i++) {
                    row.add(DuckDbValues.text(r.getObject(i + 1), schema.column(i).type()));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    private static @Nullable String text(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case BigDecimal d -> d.toPlainString();
            default -> value.toString();
        };
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
