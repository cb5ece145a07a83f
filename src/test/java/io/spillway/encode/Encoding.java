package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Encodes Java values and reads the text back with a strict parser; checks what it allocates. */
final class Encoding implements AutoCloseable {

    static final JsonFormat LINES = new JsonFormat(JsonFormat.Layout.LINES, false, false, false);
    static final JsonFormat ELEMENTS =
            new JsonFormat(JsonFormat.Layout.ARRAY_ELEMENTS, false, false, false);

    /** As RFC 8259 says and nothing more: exact numbers, no duplicate names, nothing behind. */
    static final JsonMapper STRICT =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxStringLength(Integer.MAX_VALUE)
                                                    .build())
                                    .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
                    .build();

    final BufferAllocator allocator = new RootAllocator();

    static ColumnSchema column(String name, String type) {
        return new ColumnSchema(name, ColumnType.parse(type), true);
    }

    /** The one column's rows as NDJSON, or as the format says. */
    String rows(JsonFormat format, String type, @Nullable Object... values) {
        RowSchema schema = new RowSchema(List.of(column("v", type)));
        try (RecordBatch batch =
                Vectors.batch(
                        schema,
                        List.of(
                                Vectors.plain(
                                        schema.column(0), Arrays.asList(values), allocator)))) {
            return text(all(schema, format, batch));
        }
    }

    /** The texts of the values, plain and dictionary-encoded, which are checked to be the same. */
    List<String> values(JsonFormat format, String type, @Nullable Object... values) {
        ColumnSchema column = column("v", type);
        RowSchema schema = new RowSchema(List.of(column));
        List<@Nullable Object> list = Arrays.asList(values);
        List<String> texts = new ArrayList<>();
        for (ColumnVector vector :
                List.of(
                        Vectors.plain(column, list, allocator),
                        Vectors.encoded(column, list, allocator))) {
            try (RecordBatch batch = Vectors.batch(schema, List.of(vector))) {
                for (String row : text(all(schema, format, batch)).lines().toList()) {
                    STRICT.readTree(row);
                    texts.add(row.substring("{\"v\":".length(), row.length() - 1));
                }
            }
        }
        int n = values.length;
        if (!texts.subList(0, n).equals(texts.subList(n, 2 * n))) {
            throw new AssertionError("plain and encoded values differ: " + texts);
        }
        return texts.subList(0, n);
    }

    byte[] all(RowSchema schema, RowFormat format, RecordBatch batch) {
        try (BatchEncoder encoder = BatchEncoders.of(schema, format)) {
            return range(encoder, batch, 0, batch.rowCount());
        }
    }

    byte[] range(BatchEncoder encoder, RecordBatch batch, int from, int to) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int row = from; row < to; ) {
            try (EncodedChunk chunk = encoder.encode(batch, 0, row, to, allocator)) {
                if (chunk.rows() < 1 || chunk.rows() > to - row) {
                    throw new AssertionError(chunk.rows() + " of " + (to - row) + " rows");
                }
                byte[] bytes = new byte[chunk.length()];
                chunk.bytes().getBytes(0, bytes);
                out.writeBytes(bytes);
                row += (int) chunk.rows();
            }
        }
        return out.toByteArray();
    }

    static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static List<JsonNode> parseLines(byte[] ndjson) {
        List<JsonNode> rows = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < ndjson.length; i++) {
            if (ndjson[i] == '\n') {
                rows.add(STRICT.readTree(Arrays.copyOfRange(ndjson, start, i)));
                start = i + 1;
            }
        }
        if (start != ndjson.length) {
            throw new AssertionError("the last line has no end");
        }
        return rows;
    }

    /** Fails if a buffer was not freed. */
    @Override
    public void close() {
        allocator.close();
    }
}
