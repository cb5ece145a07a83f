package io.spillway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Parquet files for tests that need some. */
public final class ParquetFiles {

    private ParquetFiles() {}

    /** Writes the result of a query to a file, replacing it. */
    public static Path write(Path file, String query) {
        return write(file, query, "CODEC 'zstd'");
    }

    /**
     * Writes the result of a query to a file, replacing it.
     *
     * @param options of the COPY statement, such as {@code ROW_GROUP_SIZE 2048}
     */
    public static Path write(Path file, String query, String options) {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "COPY (" + query + ") TO '" + file + "' (FORMAT parquet, " + options + ")");
            return file;
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    /**
     * Writes rows {@code (id, text)} by parquet-java, which puts a checksum into every page;
     * replaces the file.
     *
     * @param rows number of rows, with ids from 0 on
     * @param rowGroupBytes after about so many bytes a new row group begins
     */
    public static Path writeChecksummed(Path file, int rows, long rowGroupBytes) {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message rows { required int64 id; required binary text (STRING); }");
        SimpleGroupFactory groups = new SimpleGroupFactory(schema);
        try {
            Files.deleteIfExists(file);
            try (ParquetWriter<Group> writer =
                    ExampleParquetWriter.builder(new LocalOutputFile(file))
                            .withConf(new PlainParquetConfiguration())
                            .withType(schema)
                            .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                            .withRowGroupSize(rowGroupBytes)
                            .build()) {
                for (int i = 0; i < rows; i++) {
                    writer.write(
                            groups.newGroup()
                                    .append("id", (long) i)
                                    .append("text", "row " + i * 31L));
                }
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
