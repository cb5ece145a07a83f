package io.spillway.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * A process that runs SQL in DuckDB: a statement a line, without line ends in it. The answer is the
 * rows of its result and the nanoseconds until all are read; a statement that fails is answered
 * {@code failed} and why.
 */
final class DuckDbQueries {

    private DuckDbQueries() {}

    /**
     * Serves until its input ends.
     *
     * @param args the number of threads, and the memory limit as DuckDB writes it
     */
    public static void main(String[] args) throws SQLException, IOException {
        PrintStream answers = CommandProcess.answers();
        Properties settings = new Properties();
        settings.setProperty("threads", args[0]);
        settings.setProperty("memory_limit", args[1]);
        settings.setProperty("jdbc_stream_results", "true");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:", settings);
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            answers.println("DuckDB");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.println(answer(connection, line));
            }
        }
    }

    private static String answer(Connection connection, String sql) {
        long start = System.nanoTime();
        long rows = 0;
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet result = statement.getResultSet()) {
                    int columns = result.getMetaData().getColumnCount();
                    for (; result.next(); rows++) {
                        for (int i = 1; i <= columns; i++) {
                            result.getObject(i);
                        }
                    }
                }
            }
        } catch (SQLException e) {
            return "failed " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        }
        return rows + " " + (System.nanoTime() - start);
    }
}
