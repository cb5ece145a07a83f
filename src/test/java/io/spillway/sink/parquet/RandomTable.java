package io.spillway.sink.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.testing.NestedValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.jspecify.annotations.Nullable;

/** Random rows of random schemas, of all types that keep their unit in a file. */
final class RandomTable {

    static final List<ColumnType> LEAVES =
            Stream.of(
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
                            "decimal(1,0)",
                            "decimal(9,4)",
                            "decimal(10,2)",
                            "decimal(18,18)",
                            "decimal(19,0)",
                            "decimal(38,10)",
                            "utf8",
                            "binary",
                            "binary(1)",
                            "binary(16)",
                            "date",
                            "time(ms)",
                            "time(us)",
                            "time(ns)",
                            "timestamp(ms)",
                            "timestamp(us)",
                            "timestamp(ns)",
                            "timestamp(ms,UTC)",
                            "timestamp(us,UTC)",
                            "timestamp(ns,UTC)")
                    .map(ColumnType::parse)
                    .toList();

    private static final int DISTINCT = 20;
    private static final long SECONDS_A_DAY = 86_400;

    private final Random random;
    final RowSchema schema;

    RandomTable(long seed) {
        this.random = new Random(seed);
        this.schema = new RowSchema(columns());
    }

    private List<ColumnSchema> columns() {
        List<ColumnSchema> columns = new ArrayList<>();
        int count = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            ColumnType type =
                    random.nextInt(3) > 0
                            ? LEAVES.get(random.nextInt(LEAVES.size()))
                            : withFields(NestedValues.type(LEAVES, 3, random));
            columns.add(new ColumnSchema("c" + i, type, random.nextBoolean()));
        }
        return columns;
    }

    /** Parquet has no struct without fields. */
    private static ColumnType withFields(ColumnType type) {
        return switch (type) {
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    new ColumnType.Struct(
                            fields.isEmpty()
                                    ? List.of(
                                            new ColumnSchema(
                                                    "only", ColumnType.parse("int8"), true))
                                    : fields.stream()
                                            .map(
                                                    f ->
                                                            new ColumnSchema(
                                                                    f.name(),
                                                                    withFields(f.type()),
                                                                    f.nullable()))
                                            .toList());
            case ColumnType.ListOf(ColumnType element, boolean nullable) ->
                    new ColumnType.ListOf(withFields(element), nullable);
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean nullable) ->
                    new ColumnType.MapOf(withFields(key), withFields(value), nullable);
            case ColumnType leaf -> leaf;
        };
    }

    RecordBatch batch(int rows, BufferAllocator allocator) {
        List<ColumnVector> columns = new ArrayList<>();
        for (ColumnSchema column : schema.columns()) {
            columns.add(
                    !column.type().isNested() && random.nextInt(3) == 0
                            ? encoded(column, rows, allocator)
                            : new ColumnVector.Plain(vector(column, rows, allocator)));
        }
        return new RecordBatch(schema, columns, rows);
    }

    private FieldVector vector(ColumnSchema column, int rows, BufferAllocator allocator) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(
                    column.nullable() && random.nextInt(4) == 0
                            ? null
                            : NestedValues.value(column.type(), random, RandomTable::value));
        }
        return NestedValues.vector(
                column,
                values,
                RandomTable::leaf,
                random.nextBoolean() ? new NestedValues.Hidden(random, RandomTable::value) : null,
                allocator);
    }

    private ColumnVector encoded(ColumnSchema column, int rows, BufferAllocator allocator) {
        ColumnSchema entries = new ColumnSchema(column.name(), column.type(), false);
        Dictionary dictionary = new Dictionary(vector(entries, DISTINCT, allocator));
        IntVector indices = new IntVector("indices", allocator);
        indices.allocateNew(rows);
        for (int i = 0; i < rows; i++) {
            if (!column.nullable() || random.nextInt(4) > 0) {
                indices.set(i, random.nextInt(DISTINCT));
            } else {
                indices.setNull(i);
            }
        }
        indices.setValueCount(rows);
        return new ColumnVector.Encoded(indices, dictionary);
    }

    /** Bits of a number, a decimal, or bytes. */
    private static Object value(ColumnType type, Random random) {
        return switch (type) {
            case ColumnType.Utf8() ->
                    "aé€😀 \n".repeat(2).substring(0, new int[] {0, 1, 3, 6, 12}[random.nextInt(5)])
                            + random.nextInt(100);
            case ColumnType.Binary() -> bytes(random.nextInt(20), random);
            case ColumnType.FixedBinary(int width) -> bytes(width, random);
            case ColumnType.Decimal(int precision, int scale) ->
                    new BigDecimal(decimal(precision, random), scale);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    random.nextLong(SECONDS_A_DAY * unit.perSecond());
            default -> random.nextInt(3) == 0 ? random.nextInt(50) : random.nextLong();
        };
    }

    private static BigInteger decimal(int precision, Random random) {
        BigInteger bound = BigInteger.TEN.pow(precision);
        return switch (random.nextInt(4)) {
            case 0 -> bound.subtract(BigInteger.ONE);
            case 1 -> bound.subtract(BigInteger.ONE).negate();
            default ->
                    new BigInteger(130, random)
                            .mod(bound)
                            .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1));
        };
    }

    private static byte[] bytes(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static FieldVector leaf(
            ColumnType type, List<@Nullable Object> values, BufferAllocator allocator) {
        FieldVector vector = new ColumnSchema("leaf", type, true).toArrow().createVector(allocator);
        vector.setInitialCapacity(Math.max(1, values.size()));
        vector.allocateNew();
        for (int i = 0; i < values.size(); i++) {
            switch (values.get(i)) {
                case null -> {}
                case String s ->
                        ((BaseVariableWidthVector) vector)
                                .setSafe(i, s.getBytes(StandardCharsets.UTF_8));
                case byte[] b when vector instanceof BaseVariableWidthVector bytes ->
                        bytes.setSafe(i, b);
                case byte[] b -> set(vector, i, b);
                case BigDecimal d -> ((DecimalVector) vector).setSafe(i, d);
                case Number n when type instanceof ColumnType.Bool -> {
                    if ((n.longValue() & 1) != 0) {
                        BitVectorHelper.setBit(vector.getDataBuffer(), i);
                    }
                    BitVectorHelper.setBit(vector.getValidityBuffer(), i);
                }
                case Object n -> number(vector, i, ((Number) n).longValue());
            }
        }
        vector.setValueCount(values.size());
        return vector;
    }

    private static void set(FieldVector vector, int row, byte[] value) {
        OffHeap.write(
                value,
                0,
                vector.getDataBuffer().memoryAddress() + (long) value.length * row,
                value.length);
        BitVectorHelper.setBit(vector.getValidityBuffer(), row);
    }

    private static void number(FieldVector vector, int row, long bits) {
        int width = ((BaseFixedWidthVector) vector).getTypeWidth();
        byte[] value = new byte[width];
        for (int i = 0; i < width; i++) {
            value[i] = (byte) (bits >>> (8 * i));
        }
        set(vector, row, value);
    }
}
