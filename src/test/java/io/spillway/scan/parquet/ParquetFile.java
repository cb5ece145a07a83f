package io.spillway.scan.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/** Files written by parquet-java's own writer. */
public final class ParquetFile {

    /** How a file is written. */
    public record Options(
            WriterVersion version,
            CompressionCodecName codec,
            boolean dictionary,
            int pageRows,
            int dictionaryBytes,
            long rowGroupBytes) {

        public static final Options DEFAULT =
                new Options(
                        WriterVersion.PARQUET_1_0,
                        CompressionCodecName.SNAPPY,
                        true,
                        20_000,
                        1 << 20,
                        128 << 20);

        Options version(WriterVersion v) {
            return new Options(v, codec, dictionary, pageRows, dictionaryBytes, rowGroupBytes);
        }

        Options codec(CompressionCodecName c) {
            return new Options(version, c, dictionary, pageRows, dictionaryBytes, rowGroupBytes);
        }

        public Options dictionary(boolean on) {
            return new Options(version, codec, on, pageRows, dictionaryBytes, rowGroupBytes);
        }

        public Options pageRows(int rows) {
            return new Options(version, codec, dictionary, rows, dictionaryBytes, rowGroupBytes);
        }

        Options dictionaryBytes(int bytes) {
            return new Options(version, codec, dictionary, pageRows, bytes, rowGroupBytes);
        }
    }

    private ParquetFile() {}

    /**
     * Writes rows.
     *
     * @param schema in Parquet's own syntax
     * @param rows Integer, Long, Boolean, Float, Double, String, or byte[], or null
     */
    public static void write(
            Path file, String schema, List<List<@Nullable Object>> rows, Options options)
            throws IOException {
        MessageType type = MessageTypeParser.parseMessageType(schema);
        List<Group> groups = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            Group group = new SimpleGroup(type);
            for (int i = 0; i < row.size(); i++) {
                add(group, i, row.get(i));
            }
            groups.add(group);
        }
        write(file, type, groups, options);
    }

    /** Writes rows as parquet-java has them. */
    public static void write(Path file, MessageType type, List<Group> rows, Options options)
            throws IOException {
        write(file, type, rows, options, _ -> {});
    }

    /** Writes rows, with settings of the writer that options do not have. */
    public static void write(
            Path file,
            MessageType type,
            List<Group> rows,
            Options options,
            Consumer<ExampleParquetWriter.Builder> more)
            throws IOException {
        ExampleParquetWriter.Builder builder =
                ExampleParquetWriter.builder(new LocalOutputFile(file))
                        .withConf(new PlainParquetConfiguration())
                        .withCodecFactory(new WriterCodecs())
                        .withType(type)
                        .withWriterVersion(options.version())
                        .withCompressionCodec(options.codec())
                        .withDictionaryEncoding(options.dictionary())
                        .withDictionaryPageSize(options.dictionaryBytes())
                        .withPageRowCountLimit(options.pageRows())
                        .withMinRowCountForPageSizeCheck(1)
                        .withRowGroupSize(options.rowGroupBytes())
                        .withPageWriteChecksumEnabled(true);
        more.accept(builder);
        try (ParquetWriter<Group> writer = builder.build()) {
            for (Group row : rows) {
                writer.write(row);
            }
        }
    }

    private static void add(Group group, int field, @Nullable Object value) {
        switch (value) {
            case null -> {}
            case Integer v -> group.add(field, v);
            case Long v -> group.add(field, v);
            case Boolean v -> group.add(field, v);
            case Float v -> group.add(field, v);
            case Double v -> group.add(field, v);
            case String v -> group.add(field, v);
            case byte[] v -> group.add(field, Binary.fromConstantByteArray(v));
            default -> throw new IllegalArgumentException(value.getClass().getName());
        }
    }
}
