package io.spillway.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.batch.codec.Compression;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Decode;
import io.spillway.testing.NestedValues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedWidthVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockTest {

    private static final List<ColumnType> LEAVES =
            Stream.of("int32", "utf8").map(ColumnType::parse).toList();

    /** All that are not nested. */
    private static final List<String> FLAT =
            List.of(
                    "bool",
                    "int8",
                    "int16",
                    "int32",
                    "int64",
                    "uint8",
                    "uint16",
                    "uint32",
                    "uint64",
                    "float16",
                    "float32",
                    "float64",
                    "decimal(38,3)",
                    "utf8",
                    "binary",
                    "binary(5)",
                    "date",
                    "time(ms)",
                    "time(us)",
                    "time(ns)",
                    "timestamp(us,UTC)",
                    "timestamp(ns)");

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingIsLeft() {
        assertThat(allocator.getAllocatedMemory()).isZero();
        allocator.close();
    }

    private static List<ByteBuffer> encode(
            RecordBatch batch, Compression compression, BufferAllocator allocator) {
        List<ByteBuffer> blocks = new ArrayList<>();
        new BlockEncoder(batch.schema(), compression, Decode::decode)
                .encode(
                        batch,
                        allocator,
                        block ->
                                blocks.add(
                                        ByteBuffer.allocateDirect(block.length())
                                                .put(block.bytes())
                                                .flip()));
        return blocks;
    }

    @ParameterizedTest
    @EnumSource
    void everyFlatTypeComesBack(Compression compression) {
        Random random = new Random(1);
        List<ColumnSchema> columns = new ArrayList<>();
        List<ColumnVector> vectors = new ArrayList<>();
        int rows = 1_003;
        for (String name : FLAT) {
            ColumnSchema column = new ColumnSchema(name, ColumnType.parse(name), true);
            columns.add(column);
            FieldVector vector = column.toArrow().createVector(allocator);
            if (vector instanceof VarCharVector text) {
                text.allocateNew();
                for (int i = 0; i < rows; i++) {
                    text.setSafe(i, new Text("text " + random.nextInt(1 << i % 20)));
                }
            } else {
                vector.setInitialCapacity(rows);
                vector.allocateNew();
                if (vector instanceof FixedWidthVector) {
                    for (long b = 0; b < vector.getDataBuffer().capacity(); b++) {
                        vector.getDataBuffer().setByte(b, random.nextInt(4));
                    }
                    vector.getValidityBuffer().setOne(0, vector.getValidityBuffer().capacity());
                }
            }
            vector.setValueCount(rows);
            if (!(vector instanceof org.apache.arrow.vector.VarBinaryVector)) {
                vector.setNull(columns.size());
            }
            vectors.add(new ColumnVector.Plain(vector));
        }
        RowSchema schema = new RowSchema(columns);
        try (RecordBatch batch = new RecordBatch(schema, vectors, rows)) {
            List<ByteBuffer> blocks = encode(batch, compression, allocator);
            assertThat(blocks).hasSize(1);
            try (RecordBatch back =
                    new BlockDecoder(schema, compression).decode(blocks.getFirst(), allocator)) {
                assertThat(back.rowCount()).isEqualTo(rows);
                for (int c = 0; c < columns.size(); c++) {
                    FieldVector was = plain(batch, c);
                    FieldVector is = plain(back, c);
                    assertThat(is.getField()).isEqualTo(was.getField());
                    for (int i = 0; i < rows; i++) {
                        assertThat(is.getObject(i)).as(FLAT.get(c)).isEqualTo(was.getObject(i));
                    }
                }
            }
        }
    }

    private static FieldVector plain(RecordBatch batch, int column) {
        return ((ColumnVector.Plain) batch.column(column)).vector();
    }

    @Property(tries = 150)
    void nestedValuesAndSlicesOfThemComeBack(@ForAll long seed, @ForAll Compression compression) {
        Random random = new Random(seed);
        ColumnSchema column = new ColumnSchema("v", NestedValues.type(LEAVES, 3, random), true);
        RowSchema schema = new RowSchema(List.of(column));
        List<@Nullable Object> values = new ArrayList<>();
        int rows = random.nextInt(200);
        for (int i = 0; i < rows; i++) {
            values.add(
                    random.nextInt(4) == 0
                            ? null
                            : NestedValues.value(column.type(), random, BlockTest::leafValue));
        }
        FieldVector vector =
                NestedValues.vector(
                        column,
                        values,
                        BlockTest::leaf,
                        new NestedValues.Hidden(random, BlockTest::leafValue),
                        allocator);
        int from = random.nextInt(rows + 1);
        int count = random.nextInt(rows - from + 1);
        try (RecordBatch whole =
                        new RecordBatch(schema, List.of(new ColumnVector.Plain(vector)), rows);
                RecordBatch batch = whole.slice(from, count)) {
            List<ByteBuffer> blocks = encode(batch, compression, allocator);
            List<@Nullable Object> back = new ArrayList<>();
            for (ByteBuffer block : blocks) {
                try (RecordBatch part =
                        new BlockDecoder(schema, compression).decode(block, allocator)) {
                    for (int i = 0; i < part.rowCount(); i++) {
                        back.add(
                                NestedValues.read(
                                        column.type(), plain(part, 0), i, BlockTest::read));
                    }
                }
            }
            assertThat(back).isEqualTo(values.subList(from, from + count));
        }
        assertThat(allocator.getAllocatedMemory()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aLargeBatchIsCutAndALargeRowIsNot(Compression compression) {
        try (RecordBatch many = SpillRows.batch(0, 5_000, 1_000, allocator);
                RecordBatch large = SpillRows.batch(1, 1, 9_000_000, allocator)) {
            List<ByteBuffer> blocks = encode(many, compression, allocator);
            assertThat(blocks).hasSizeBetween(10, 14);
            List<String> back = new ArrayList<>();
            for (ByteBuffer block : blocks) {
                back.addAll(decode(block, compression));
            }
            assertThat(back).isEqualTo(SpillRows.rows(0, 5_000, 1_000));
            List<ByteBuffer> one = encode(large, compression, allocator);
            assertThat(one).hasSize(1);
            assertThat(decode(one.getFirst(), compression))
                    .isEqualTo(SpillRows.rows(1, 2, 9_000_000));
        }
    }

    private List<String> decode(ByteBuffer block, Compression compression) {
        try (RecordBatch batch =
                new BlockDecoder(SpillRows.SCHEMA, compression).decode(block, allocator)) {
            return SpillRows.read(batch);
        }
    }

    @Test
    void dictionaryColumnsBecomePlain() {
        VarCharVector entries = new VarCharVector("t", allocator);
        entries.allocateNew();
        entries.setSafe(0, new Text("zero"));
        entries.setSafe(1, new Text("one"));
        entries.setValueCount(2);
        IntVector indices = new IntVector("i", allocator);
        indices.allocateNew(3);
        indices.set(0, 1);
        indices.setNull(1);
        indices.set(2, 0);
        indices.setValueCount(3);
        RowSchema schema =
                new RowSchema(List.of(new ColumnSchema("t", ColumnType.parse("utf8"), true)));
        try (RecordBatch batch =
                        new RecordBatch(
                                schema,
                                List.of(new ColumnVector.Encoded(indices, new Dictionary(entries))),
                                3);
                RecordBatch back =
                        new BlockDecoder(schema, Compression.LZ4)
                                .decode(
                                        encode(batch, Compression.LZ4, allocator).getFirst(),
                                        allocator)) {
            FieldVector values = plain(back, 0);
            assertThat(values.getObject(0)).hasToString("one");
            assertThat(values.getObject(1)).isNull();
            assertThat(values.getObject(2)).hasToString("zero");
        }
    }

    @Test
    void someColumnsAreReadWithoutTheOthers() {
        try (RecordBatch batch = SpillRows.batch(0, 100, 20, allocator)) {
            ByteBuffer block = encode(batch, Compression.LZ4, allocator).getFirst();
            try (RecordBatch back =
                    new BlockDecoder(SpillRows.SCHEMA, Compression.LZ4, List.of(1))
                            .decode(block, allocator)) {
                assertThat(back.schema().names()).containsExactly("t");
                assertThat(plain(back, 0).getObject(0)).isNull();
                assertThat(plain(back, 0).getObject(1)).hasToString("1-1-1-1-1-1-1-1-1-1-");
            }
        }
    }

    @Test
    void damageAnywhereIsFound() {
        try (RecordBatch batch = SpillRows.batch(0, 50, 20, allocator)) {
            ByteBuffer block = encode(batch, Compression.LZ4, allocator).getFirst();
            BlockDecoder decoder = new BlockDecoder(SpillRows.SCHEMA, Compression.LZ4);
            for (int i = 0; i < block.limit(); i++) {
                byte was = block.get(i);
                block.put(i, (byte) (was ^ 1 << i % 8));
                assertDamaged(() -> decoder.decode(block, allocator).close());
                block.put(i, was);
                ByteBuffer cut = block.slice(0, i);
                assertDamaged(() -> decoder.decode(cut, allocator).close());
            }
            decoder.decode(block, allocator).close();
        }
    }

    private static void assertDamaged(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.READ_FAILED));
    }

    private static Object leafValue(ColumnType type, Random random) {
        return type instanceof ColumnType.Utf8
                ? "abcdefg".substring(random.nextInt(8))
                : (Object) random.nextInt();
    }

    private static FieldVector leaf(
            ColumnType type, List<@Nullable Object> values, BufferAllocator allocator) {
        FieldVector vector = new ColumnSchema("leaf", type, true).toArrow().createVector(allocator);
        vector.setInitialCapacity(values.size());
        vector.allocateNew();
        for (int i = 0; i < values.size(); i++) {
            switch (values.get(i)) {
                case null -> {}
                case String s -> ((VarCharVector) vector).setSafe(i, new Text(s));
                case Object n -> ((IntVector) vector).setSafe(i, (Integer) n);
            }
        }
        vector.setValueCount(values.size());
        return vector;
    }

    private static Object read(ColumnType type, FieldVector vector, int row) {
        Object value = vector.getObject(row);
        return value instanceof Text text ? text.toString() : value;
    }
}
