package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConcatTest {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void close() {
        allocator.close();
    }

    private static RowSchema schema(String type) {
        return new RowSchema(List.of(new ColumnSchema("c", ColumnType.parse(type), true)));
    }

    private RecordBatch batch(String type, ColumnVector column) {
        return new RecordBatch(schema(type), List.of(column), column.size());
    }

    private VarCharVector texts(@Nullable String... values) {
        VarCharVector vector =
                (VarCharVector) schema("utf8").column(0).toArrow().createVector(allocator);
        vector.allocateNew();
        for (int i = 0; i < values.length; i++) {
            String value = values[i];
            if (value != null) {
                vector.setSafe(i, value.getBytes(StandardCharsets.UTF_8));
            }
        }
        vector.setValueCount(values.length);
        return vector;
    }

    private ColumnVector encoded(Dictionary dictionary, int... entries) {
        IntVector indices = new IntVector("c", allocator);
        indices.allocateNew(entries.length);
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] >= 0) {
                indices.set(i, entries[i]);
            } else {
                indices.setNull(i);
            }
        }
        indices.setValueCount(entries.length);
        return new ColumnVector.Encoded(indices, dictionary.retain());
    }

    private List<@Nullable Object> concat(RecordBatch... batches) {
        List<@Nullable Object> values = new ArrayList<>();
        try (RecordBatch all = Concat.concat(List.of(batches), allocator)) {
            FieldVector vector =
                    switch (all.column(0)) {
                        case ColumnVector.Plain plain -> plain.vector();
                        case ColumnVector.Encoded encoded -> Decode.decode(encoded, allocator);
                    };
            for (int i = 0; i < all.rowCount(); i++) {
                Object value = vector.getObject(i);
                values.add(value instanceof List<?> || value == null ? value : value.toString());
            }
            if (all.column(0) instanceof ColumnVector.Encoded) {
                vector.close();
            }
        } finally {
            Arrays.stream(batches).forEach(RecordBatch::close);
        }
        return values;
    }

    @Test
    void textsStandBehindEachOther() {
        RecordBatch sliced;
        try (RecordBatch whole =
                batch("utf8", new ColumnVector.Plain(texts("x", "one", null, "y")))) {
            sliced = whole.slice(1, 2);
        }
        assertThat(
                        concat(
                                sliced,
                                batch("utf8", new ColumnVector.Plain(texts())),
                                batch("utf8", new ColumnVector.Plain(texts("", "two")))))
                .containsExactly("one", null, "", "two");
    }

    @Test
    void oneDictionaryStaysAndDifferentOnesAreDecoded() {
        Dictionary one = new Dictionary(texts("a", "b"));
        Dictionary two = new Dictionary(texts("b", "c"));
        RecordBatch first = batch("utf8", encoded(one, 0, -1, 1));
        RecordBatch second = batch("utf8", encoded(one, 1));
        try (RecordBatch all = Concat.concat(List.of(first, second), allocator)) {
            assertThat(all.column(0)).isInstanceOf(ColumnVector.Encoded.class);
        }
        assertThat(concat(first, second)).containsExactly("a", null, "b", "b");
        assertThat(
                        concat(
                                batch("utf8", encoded(one, 1, 0)),
                                batch("utf8", encoded(two, 1, -1)),
                                batch("utf8", new ColumnVector.Plain(texts("d")))))
                .containsExactly("b", "a", "c", null, "d");
        one.release();
        two.release();
    }

    @Test
    void listsKeepTheirElements() {
        assertThat(
                        concat(
                                lists(List.of(1L, 2L), null, List.of()),
                                lists(List.of(3L), List.of(4L, 5L))))
                .containsExactly(List.of(1L, 2L), null, List.of(), List.of(3L), List.of(4L, 5L));
    }

    @SafeVarargs
    private RecordBatch lists(@Nullable List<Long>... values) {
        ListVector vector =
                (ListVector) schema("list<int64>").column(0).toArrow().createVector(allocator);
        UnionListWriter writer = vector.getWriter();
        for (int i = 0; i < values.length; i++) {
            writer.setPosition(i);
            List<Long> list = values[i];
            if (list != null) {
                writer.startList();
                list.forEach(writer::writeBigInt);
                writer.endList();
            }
        }
        vector.setValueCount(values.length);
        return batch("list<int64>", new ColumnVector.Plain(vector));
    }

    @Test
    void fixedWidthsStandBehindEachOther() {
        assertThat(concat(numbers(1, 2), numbers(), numbers(3))).containsExactly("1", "2", "3");
    }

    private RecordBatch numbers(long... values) {
        BigIntVector vector =
                (BigIntVector) new ColumnSchema("c", INT64, true).toArrow().createVector(allocator);
        vector.allocateNew(values.length);
        for (int i = 0; i < values.length; i++) {
            vector.set(i, values[i]);
        }
        vector.setValueCount(values.length);
        return batch("int64", new ColumnVector.Plain(vector));
    }
}
