package io.spillway.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A DuckDB of its own in this process. */
public final class DuckDb implements AutoCloseable {

    private final Connection connection;

    /** Opens it, in memory. */
    public DuckDb() {
        try {
            connection = DriverManager.getConnection("jdbc:duckdb:");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs statements that give nothing. */
    public void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** The result of a case, in Spillway's order. */
    List<List<Expected>> rows(QueryCase query) {
        return rows(query.duckdb());
    }

    /** The result of a query, in the order in which DuckDB gives it. */
    public List<List<Expected>> inOrder(String query) {
        return rows(
                "SELECT *, row_number() OVER () AS %s FROM (%s)".formatted(QueryCase.ROW, query));
    }

    /** The result of a query, ordered by its column {@link QueryCase#ROW}, which is left out. */
    public List<List<Expected>> rows(String query) {
        List<Expected.Kind> kinds = new ArrayList<>();
        List<String> items = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet described = statement.executeQuery("DESCRIBE " + query)) {
                while (described.next()) {
                    String name = described.getString("column_name");
                    if (!name.equals(QueryCase.ROW)) {
                        Expected.Kind kind = Expected.Kind.of(described.getString("column_type"));
                        kinds.add(kind);
                        items.add(kind.read('"' + name.replace("\"", "\"\"") + '"'));
                    }
                }
            }
            return read(
                    statement,
                    "SELECT %s FROM (%s) ORDER BY %s"
                            .formatted(String.join(", ", items), query, QueryCase.ROW),
                    kinds);
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    private static List<List<Expected>> read(
            Statement statement, String sql, List<Expected.Kind> kinds) throws SQLException {
        List<List<Expected>> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<Expected> row = new ArrayList<>(kinds.size());
                for (int i = 0; i < kinds.size(); i++) {
                    String text = result.getString(i + 1);
                    row.add(text == null ? new Expected.Null() : kinds.get(i).expect(text));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
