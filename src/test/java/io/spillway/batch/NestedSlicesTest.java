package io.spillway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.NestedValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Slices of lists, structs and maps, and slices of these. */
class NestedSlicesTest {

    private static final List<ColumnType> LEAVES =
            Stream.of("int32", "utf8", "bool").map(ColumnType::parse).toList();

    private static Object leafValue(ColumnType type, Random random) {
        return switch (type) {
            case ColumnType.Bool() -> random.nextBoolean();
            case ColumnType.Utf8() -> "abcdefg".substring(random.nextInt(8));
            default -> random.nextInt();
        };
    }

    private static FieldVector leaf(
            ColumnType type, List<@Nullable Object> values, BufferAllocator allocator) {
        FieldVector vector = new ColumnSchema("leaf", type, true).toArrow().createVector(allocator);
        vector.setInitialCapacity(values.size());
        vector.allocateNew();
        for (int i = 0; i < values.size(); i++) {
            switch (values.get(i)) {
                case null -> {}
                case Boolean b -> ((BitVector) vector).setSafe(i, b ? 1 : 0);
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

    private static List<@Nullable Object> read(ColumnType type, ColumnVector column) {
        List<@Nullable Object> values = new ArrayList<>();
        if (column instanceof ColumnVector.Plain(FieldVector vector)) {
            for (int i = 0; i < vector.getValueCount(); i++) {
                values.add(NestedValues.read(type, vector, i, NestedSlicesTest::read));
            }
        }
        return values;
    }

    @Property(tries = 200)
    void slicesOfSlicesHaveTheValues(@ForAll long seed) {
        Random random = new Random(seed);
        ColumnType type = NestedValues.type(LEAVES, 3, random);
        List<@Nullable Object> values = new ArrayList<>();
        int rows = random.nextInt(200);
        for (int i = 0; i < rows; i++) {
            values.add(
                    random.nextInt(4) == 0
                            ? null
                            : NestedValues.value(type, random, NestedSlicesTest::leafValue));
        }
        NestedValues.Hidden hidden = new NestedValues.Hidden(random, NestedSlicesTest::leafValue);
        try (BufferAllocator allocator = new RootAllocator()) {
            FieldVector vector =
                    NestedValues.vector(
                            new ColumnSchema("v", type, true),
                            values,
                            NestedSlicesTest::leaf,
                            random.nextBoolean() ? hidden : null,
                            allocator);
            ColumnVector column = new ColumnVector.Plain(vector);
            long whole = column.bytes();
            while (true) {
                assertThat(read(type, column)).isEqualTo(values);
                assertThat(column.bytes()).isBetween(0L, whole + 16);
                if (column instanceof ColumnVector.Plain(FieldVector v)) {
                    assertThat(v.getField()).isEqualTo(vector.getField());
                }
                if (values.isEmpty()) {
                    break;
                }
                int from = random.nextInt(1 + values.size() / 3);
                int count = random.nextInt(values.size() - from);
                ColumnVector part = column.slice(from, count);
                // The slice lives on by its own references.
                column.close();
                column = part;
                values = values.subList(from, from + count);
            }
            column.close();
        }
    }

    @Test
    void valuesAreShared() {
        ColumnType type = ColumnType.parse("list<struct<a int32 not null>>");
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            values.add(List.of(List.of(i), List.of(-i)));
        }
        try (BufferAllocator allocator = new RootAllocator();
                FieldVector vector =
                        NestedValues.vector(
                                new ColumnSchema("v", type, true),
                                values,
                                NestedSlicesTest::leaf,
                                null,
                                allocator)) {
            long before = allocator.getAllocatedMemory();
            try (FieldVector part = Slices.slice(vector, 8, 800)) {
                // Offsets are counted from 0 again; 8 rows have 16 elements, which is whole bytes.
                assertThat(allocator.getAllocatedMemory() - before).isEqualTo(4096);
                assertThat(leafAddress(part) - leafAddress(vector)).isEqualTo(16 * Integer.BYTES);
            }
            assertThat(allocator.getAllocatedMemory()).isEqualTo(before);
            try (FieldVector part = Slices.slice(vector, 0, 1000)) {
                assertThat(allocator.getAllocatedMemory()).isEqualTo(before);
                assertThat(part.getValueCount()).isEqualTo(1000);
            }
        }
    }

    private static long leafAddress(FieldVector list) {
        return ((ListVector) list)
                .getDataVector()
                .getChildrenFromFields()
                .getFirst()
                .getDataBuffer()
                .memoryAddress();
    }

    @Test
    void sixtyFourLevelsAreNoTrouble() {
        ColumnType type = ColumnType.parse("list<".repeat(64) + "int32" + ">".repeat(64));
        Object value = 7;
        for (int i = 0; i < 64; i++) {
            value = List.of(value);
        }
        try (BufferAllocator allocator = new RootAllocator()) {
            ColumnVector column =
                    new ColumnVector.Plain(
                            NestedValues.vector(
                                    new ColumnSchema("v", type, true),
                                    List.of(List.of(), value, value),
                                    NestedSlicesTest::leaf,
                                    null,
                                    allocator));
            try (column;
                    ColumnVector part = column.slice(1, 2);
                    ColumnVector again = part.slice(1, 1)) {
                assertThat(read(type, again)).containsExactly(value);
            }
        }
    }
}
