package io.spillway.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An Arrow IPC stream, read by Arrow's own Java reader.
 *
 * @param schema the stream's schema
 * @param rows the values of each row, or null, as texts that can be compared: as the reader's
 *     objects print themselves, bytes in base64, lists and structs as in JSON, maps as pairs
 * @param batches rows of each record batch
 */
public record ArrowRows(Schema schema, List<List<@Nullable String>> rows, List<Integer> batches) {

    private static final int END_OF_STREAM_BYTES = 8;

    /**
     * Reads a whole stream.
     *
     * @throws AssertionError if it does not end with the end-of-stream marker, or has dictionaries
     */
    public static ArrowRows parse(byte[] stream) {
        if (!endsWell(stream)) {
            throw new AssertionError("there is no end-of-stream marker");
        }
        return parsePart(stream);
    }

    /** Reads a stream that may have been cut after a whole message. */
    public static ArrowRows parsePart(byte[] stream) {
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            if (!reader.getDictionaryVectors().isEmpty()) {
                throw new AssertionError("the schema has dictionaries");
            }
            List<List<@Nullable String>> rows = new ArrayList<>();
            List<Integer> batches = new ArrayList<>();
            while (reader.loadNextBatch()) {
                batches.add(root.getRowCount());
                for (int row = 0; row < root.getRowCount(); row++) {
                    rows.add(row(root, row));
                }
            }
            return new ArrowRows(root.getSchema(), rows, batches);
        } catch (IOException e) {
            throw new AssertionError("not an Arrow stream", e);
        }
    }

    /** Whether the last bytes are a continuation mark and a length of none. */
    public static boolean endsWell(byte[] stream) {
        if (stream.length < END_OF_STREAM_BYTES) {
            return false;
        }
        ByteBuffer end =
                ByteBuffer.wrap(stream, stream.length - END_OF_STREAM_BYTES, END_OF_STREAM_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        return end.getInt() == -1 && end.getInt() == 0;
    }

    private static List<@Nullable String> row(VectorSchemaRoot root, int row) {
        List<@Nullable String> values = new ArrayList<>();
        for (FieldVector vector : root.getFieldVectors()) {
            values.add(vector.isNull(row) ? null : text(vector, row));
        }
        return values;
    }

    /**
     * The vectors' own objects leave out a struct's nulls, so nested values are taken apart here.
     */
    private static String text(ValueVector vector, int row) {
        if (vector.isNull(row)) {
            return "null";
        }
        return switch (vector) {
            case MapVector map -> elements(map, row).replaceAll("^\\[(.*)]$", "{$1}");
            case ListVector list -> elements(list, row);
            case StructVector struct ->
                    struct.getChildrenFromFields().stream()
                            .map(child -> "\"" + child.getName() + "\":" + text(child, row))
                            .collect(Collectors.joining(",", "{", "}"));
            default -> plain(vector.getObject(row));
        };
    }

    private static String elements(ListVector list, int row) {
        return IntStream.range(list.getElementStartIndex(row), list.getElementEndIndex(row))
                .mapToObj(i -> text(list.getDataVector(), i))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String plain(Object value) {
        return value instanceof byte[] bytes
                ? Base64.getEncoder().encodeToString(bytes)
                : value.toString();
    }
}
