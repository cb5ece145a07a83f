package io.spillway.delivery.capture;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Captured values as vectors. */
final class ValueVectors {

    private static final JsonFactory FACTORY = new JsonFactory();

    private ValueVectors() {}

    /**
     * The values of a column, owned by the caller.
     *
     * @param json an array of them, which {@linkplain ValueKind#fits fit}
     * @param rows how many there are
     * @throws SpillwayException {@code MEMORY_LIMIT} by the allocator
     */
    static ColumnVector of(
            ColumnSchema column, Captured.Json json, int rows, BufferAllocator allocator) {
        FieldVector vector = column.toArrow().createVector(allocator);
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json.utf8())) {
            vector.allocateNew();
            parser.nextToken();
            for (int row = 0; row < rows; row++) {
                set(vector, row, column.type(), parser, parser.nextToken());
            }
            vector.setValueCount(rows);
            return new ColumnVector.Plain(vector);
        } catch (Throwable t) {
            vector.close();
            throw switch (t) {
                case OutOfMemoryException e ->
                        new SpillwayException(
                                ErrorCode.MEMORY_LIMIT,
                                "The values that were captured for %,d rows do not fit"
                                        .formatted(rows),
                                e);
                case JacksonException e ->
                        new SpillwayException(
                                ErrorCode.FILE_CORRUPT,
                                "Captured values are not as they were written",
                                e);
                case RuntimeException e -> e;
                default -> new IllegalStateException(t);
            };
        }
    }

    private static void set(
            FieldVector vector, int row, ColumnType type, JsonParser parser, JsonToken token) {
        if (token == JsonToken.VALUE_NULL) {
            vector.setNull(row);
            return;
        }
        switch (vector) {
            case BitVector bits -> bits.setSafe(row, token == JsonToken.VALUE_TRUE ? 1 : 0);
            case BigIntVector whole -> whole.setSafe(row, Long.parseLong(parser.getString()));
            case Float8Vector real -> real.setSafe(row, Double.parseDouble(parser.getString()));
            case Float4Vector real -> real.setSafe(row, Float.parseFloat(parser.getString()));
            case VarCharVector text -> text.setSafe(row, text(parser, token));
            case ListVector list -> list(list, row, (ColumnType.ListOf) type, parser);
            default -> throw new IllegalArgumentException(type + " is not captured");
        }
    }

    /** A string itself; of anything else the JSON text. */
    private static byte[] text(JsonParser parser, JsonToken token) {
        if (token == JsonToken.VALUE_STRING) {
            return parser.getString().getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new JsonCopy(out).copy(parser, token);
        return out.toByteArray();
    }

    private static void list(ListVector list, int row, ColumnType.ListOf type, JsonParser parser) {
        FieldVector elements = list.getDataVector();
        int at = list.startNewValue(row);
        int count = 0;
        for (JsonToken item = parser.nextToken();
                item != JsonToken.END_ARRAY;
                item = parser.nextToken()) {
            set(elements, at + count, type.element(), parser, item);
            count++;
        }
        list.endValue(row, count);
    }
}
