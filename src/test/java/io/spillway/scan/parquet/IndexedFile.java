package io.spillway.scan.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
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

/** Files with page indexes and bloom filters, written by parquet-java in any way it can. */
public final class IndexedFile {

    private IndexedFile() {}

    /**
     * Writes rows, uncompressed unless told otherwise.
     *
     * @param rows Integer, Long, Boolean, Float, Double, String, or byte[], or null; long[] for a
     *     list of numbers
     */
    public static void write(
            Path file,
            String schema,
            List<List<@Nullable Object>> rows,
            UnaryOperator<ExampleParquetWriter.Builder> options)
            throws IOException {
        MessageType type = MessageTypeParser.parseMessageType(schema);
        ExampleParquetWriter.Builder builder =
                ExampleParquetWriter.builder(new LocalOutputFile(file))
                        .withConf(new PlainParquetConfiguration())
                        .withCodecFactory(new WriterCodecs())
                        .withType(type)
                        .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                        .withMinRowCountForPageSizeCheck(1);
        try (ParquetWriter<Group> writer = options.apply(builder).build()) {
            for (List<@Nullable Object> row : rows) {
                Group group = new SimpleGroup(type);
                for (int i = 0; i < row.size(); i++) {
                    add(group, i, row.get(i));
                }
                writer.write(group);
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
            case long[] v -> {
                Group list = group.addGroup(field);
                for (long element : v) {
                    list.addGroup(0).add(0, element);
                }
            }
            case byte[] v -> group.add(field, Binary.fromConstantByteArray(v));
            default -> throw new IllegalArgumentException(value.getClass().getName());
        }
    }
}
