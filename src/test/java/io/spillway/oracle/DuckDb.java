package io.spillway.oracle;

import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        // Sums of few small numbers fail now and then when it takes them for smaller than they are.
        execute("SET disabled_optimizers = 'compressed_materialization'");
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
        List<Cell> cells = new ArrayList<>();
        List<String> items = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet described = statement.executeQuery("DESCRIBE " + query)) {
                while (described.next()) {
                    String name = described.getString("column_name");
                    if (!name.equals(QueryCase.ROW)) {
                        Cell cell = Cell.of(described.getString("column_type"));
                        cells.add(cell);
                        items.add(cell.read('"' + name.replace("\"", "\"\"") + '"'));
                    }
                }
            }
            return read(
                    statement,
                    "SELECT %s FROM (%s) ORDER BY %s"
                            .formatted(String.join(", ", items), query, QueryCase.ROW),
                    cells);
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    private static List<List<Expected>> read(Statement statement, String sql, List<Cell> cells)
            throws SQLException {
        List<List<Expected>> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<Expected> row = new ArrayList<>(cells.size());
                for (int i = 0; i < cells.size(); i++) {
                    row.add(cells.get(i).expected(result, i + 1));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /**
     * How a column is read.
     *
     * @param kind of its values, or of the elements of its lists
     */
    private record Cell(Expected.Kind kind, boolean list) {

        private static final String LIST = "[]";

        static Cell of(String type) {
            boolean list = type.endsWith(LIST);
            String plain = list ? type.substring(0, type.length() - LIST.length()) : type;
            return new Cell(Expected.Kind.of(plain), list);
        }

        String read(String column) {
            return list
                    ? "list_transform(%s, lambda e: CAST(%s AS VARCHAR))"
                            .formatted(column, kind.read("e"))
                    : kind.read(column);
        }

        Expected expected(ResultSet result, int column) throws SQLException {
            if (!list) {
                return expected(result.getString(column));
            }
            Array array = result.getArray(column);
            return array == null
                    ? new Expected.Null()
                    : new Expected.Items(
                            Arrays.stream((Object[]) array.getArray())
                                    .map(e -> expected(e == null ? null : e.toString()))
                                    .toList());
        }

        private Expected expected(@Nullable String text) {
            return text == null ? new Expected.Null() : kind.expect(text);
        }
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
