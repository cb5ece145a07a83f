package io.spillway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes the sample Parquet files from their CSV sources by the SQL in samples/make.sql. */
public final class MakeSamples {

    private MakeSamples() {}

    /**
     * Writes into the folder {@code samples} of the working folder.
     *
     * @param args the folder with airports.csv, birdstrikes.csv and zipcodes.csv
     */
    public static void main(String[] args) throws IOException, SQLException {
        if (args.length != 1) {
            throw new IllegalArgumentException("usage: MakeSamples FOLDER_OF_CSV_FILES");
        }
        String source = Path.of(args[0]).toAbsolutePath().toString();
        String script = Files.readString(Path.of("samples", "make.sql"));
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET file_search_path = '" + source.replace("'", "''") + "'");
            statement.execute(script);
        }
    }
}
