package io.spillway.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;

/**
 * The process that measures DuckDB, so that its memory is its own. Reads commands from standard
 * input, a line each ({@code stream}, {@code arrow COLUMNS}, {@code count CONDITION}, {@code page
 * TAIL} with what stands after the FROM clause), and answers each with rows, bytes if they are
 * told, and nanoseconds on standard output. Its first line is DuckDB's version, once it is ready.
 */
final class DuckDbServer {

    private static final long SAMPLE_ROWS = 1_000_000;

    /** What its Arrow export is fastest with. */
    private static final long ARROW_BATCH_ROWS = 122_880;

    private final Connection connection;
    private final String source;
    private final double bytesPerRow;

    private DuckDbServer(Connection connection, String source) throws SQLException, IOException {
        this.connection = connection;
        this.source = source;
        bytesPerRow = bytesPerRow();
    }

    /**
     * Serves until its input ends.
     *
     * @param args the number of threads, and the files' glob
     */
    public static void main(String[] args) throws SQLException, IOException {
        PrintStream answers = CommandProcess.answers();
        Properties settings = new Properties();
        settings.setProperty("threads", args[0]);
        settings.setProperty("jdbc_stream_results", "true");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:", settings);
                BufferedReader commands =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            DuckDbServer server =
                    new DuckDbServer(
                            connection, "read_parquet('" + args[1].replace("'", "''") + "')");
            answers.println("DuckDB " + server.version());
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                answers.println(server.answer(line));
            }
        }
    }

    private String version() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT version()")) {
            result.next();
            return result.getString(1);
        }
    }

    private String answer(String command) throws SQLException {
        String[] words = command.split(" ", -1);
        return switch (words[0]) {
            case "stream" -> stream();
            case "arrow" -> arrow(rest(command));
            case "page" -> read("SELECT * FROM " + source + " " + rest(command));
            case "count" -> read("SELECT count(*) FROM " + source + " WHERE " + rest(command));
            default -> throw new IllegalArgumentException(command);
        };
    }

    private static String rest(String command) {
        return command.substring(command.indexOf(' ') + 1);
    }

    /** Rows, estimated bytes, nanoseconds. The text goes nowhere, so no disk is measured. */
    private String stream() throws SQLException {
        long start = System.nanoTime();
        long rows;
        try (Statement statement = connection.createStatement()) {
            rows =
                    statement.executeLargeUpdate(
                            "COPY (SELECT * FROM " + source + ") TO '/dev/null' (FORMAT json)");
        }
        long nanos = System.nanoTime() - start;
        return rows + " " + Math.round(rows * bytesPerRow) + " " + nanos;
    }

    /** Rows and nanoseconds of an export to Arrow vectors, which are looked at by their number. */
    private String arrow(String columns) throws SQLException {
        long start = System.nanoTime();
        long rows = 0;
        try (Statement statement = connection.createStatement();
                DuckDBResultSet result =
                        statement
                                .executeQuery("SELECT " + columns + " FROM " + source)
                                .unwrap(DuckDBResultSet.class);
                RootAllocator allocator = new RootAllocator();
                ArrowReader reader =
                        (ArrowReader) result.arrowExportStream(allocator, ARROW_BATCH_ROWS)) {
            while (reader.loadNextBatch()) {
                rows += reader.getVectorSchemaRoot().getRowCount();
            }
        } catch (IOException e) {
            throw new SQLException(e);
        }
        return rows + " 0 " + (System.nanoTime() - start);
    }

    /** Rows and nanoseconds of a result that is read whole, each column as an object. */
    private String read(String sql) throws SQLException {
        long start = System.nanoTime();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            long rows = 0;
            for (; result.next(); rows++) {
                for (int i = 1; i <= columns; i++) {
                    result.getObject(i);
                }
            }
            return rows + " 0 " + (System.nanoTime() - start);
        }
    }

    /** Measured on the first rows, since all of it would fill a disk. */
    private double bytesPerRow() throws SQLException, IOException {
        Path sample = Files.createTempFile("spillway-benchmark", ".json");
        try (Statement statement = connection.createStatement()) {
            long rows =
                    statement.executeLargeUpdate(
                            "COPY (SELECT * FROM %s LIMIT %d) TO '%s' (FORMAT json)"
                                    .formatted(source, SAMPLE_ROWS, sample));
            return (double) Files.size(sample) / rows;
        } finally {
            Files.delete(sample);
        }
    }
}
