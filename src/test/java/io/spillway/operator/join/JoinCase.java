package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.expression.RandomValues;
import io.spillway.expression.TestValues;
import io.spillway.testing.NestedValues;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Two tables and how they are joined. Column 0 of each is a number of its row, column 1 a number
 * for conditions, and then there are the keys.
 */
record JoinCase(
        JoinType type,
        List<JoinKey> keys,
        boolean conditional,
        RowSchema leftSchema,
        RowSchema rightSchema,
        List<List<@Nullable Object>> left,
        List<List<@Nullable Object>> right) {

    static final ColumnType INT = new ColumnType.Int(32, true);
    static final int FIRST_KEY = 2;

    private static final List<ColumnType> LEAVES =
            List.of(
                    new ColumnType.Bool(),
                    new ColumnType.Int(8, true),
                    INT,
                    new ColumnType.Int(64, true),
                    new ColumnType.Int(64, false),
                    new ColumnType.FloatingPoint(16),
                    new ColumnType.FloatingPoint(32),
                    new ColumnType.FloatingPoint(64),
                    new ColumnType.Decimal(9, 2),
                    new ColumnType.Decimal(38, 5),
                    new ColumnType.Utf8(),
                    new ColumnType.Binary(),
                    new ColumnType.FixedBinary(3),
                    new ColumnType.Date(),
                    new ColumnType.Timestamp(ColumnType.TimeUnit.MICRO, true));

    /** Any keys of any types. */
    static JoinCase random(JoinType type, int maxRows, Random random) {
        List<ColumnType> types = new ArrayList<>();
        List<JoinKey> keys = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            types.add(
                    random.nextInt(5) == 0
                            ? NestedValues.type(LEAVES, 2, random)
                            : LEAVES.get(random.nextInt(LEAVES.size())));
            keys.add(new JoinKey(FIRST_KEY + i, FIRST_KEY + i, random.nextBoolean()));
        }
        int values = 1 + random.nextInt(20);
        List<List<Object>> domains = new ArrayList<>();
        for (ColumnType key : types) {
            List<Object> domain = new ArrayList<>();
            for (int i = 0; i < values; i++) {
                domain.add(RandomValues.value(key, random));
            }
            domains.add(domain);
        }
        List<Boolean> leftNulls = flags(count, random);
        List<Boolean> rightNulls = flags(count, random);
        boolean many = count > 0;
        return new JoinCase(
                type,
                keys,
                random.nextBoolean(),
                schema(types, leftNulls),
                schema(types, rightNulls),
                rows(rowCount(many ? maxRows : maxRows / 4, random), domains, leftNulls, random),
                rows(rowCount(many ? maxRows : maxRows / 4, random), domains, rightNulls, random));
    }

    private static int rowCount(int max, Random random) {
        return random.nextInt(8) == 0 ? 0 : random.nextInt(max + 1);
    }

    private static List<Boolean> flags(int count, Random random) {
        List<Boolean> flags = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            flags.add(random.nextBoolean());
        }
        return flags;
    }

    static RowSchema schema(List<ColumnType> keys, List<Boolean> nullable) {
        List<ColumnSchema> columns = new ArrayList<>();
        columns.add(new ColumnSchema("row", INT, false));
        columns.add(new ColumnSchema("v", INT, true));
        for (int i = 0; i < keys.size(); i++) {
            columns.add(new ColumnSchema("k" + i, keys.get(i), nullable.get(i)));
        }
        return new RowSchema(columns);
    }

    private static List<List<@Nullable Object>> rows(
            int count, List<List<Object>> domains, List<Boolean> nullable, Random random) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        int nulls = 2 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(BigInteger.valueOf(i));
            row.add(random.nextInt(6) == 0 ? null : BigInteger.valueOf(random.nextInt(10)));
            for (int k = 0; k < domains.size(); k++) {
                List<Object> domain = domains.get(k);
                row.add(
                        nullable.get(k) && random.nextInt(nulls) == 0
                                ? null
                                : domain.get(random.nextInt(domain.size())));
            }
            rows.add(row);
        }
        return rows;
    }

    JoinOperator operator() {
        Expression condition =
                conditional
                        ? new Expression.Call(
                                Function.LESS,
                                List.of(
                                        new Expression.Column(1, INT),
                                        new Expression.Column(leftSchema.size() + 1, INT)),
                                new ColumnType.Bool())
                        : null;
        return new JoinOperator(type, keys, condition, leftSchema, rightSchema, schema());
    }

    private RowSchema schema() {
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema c : leftSchema.columns()) {
            columns.add(
                    new ColumnSchema("l" + c.name(), c.type(), c.nullable() || type.keepsRight()));
        }
        if (type.hasRight()) {
            for (ColumnSchema c : rightSchema.columns()) {
                columns.add(
                        new ColumnSchema(
                                "r" + c.name(), c.type(), c.nullable() || type.keepsLeft()));
            }
        }
        return new RowSchema(columns);
    }

    List<List<@Nullable Object>> expected() {
        return NaiveJoin.of(
                type,
                keys,
                conditional ? JoinCase::less : null,
                left,
                leftSchema.size(),
                right,
                rightSchema.size());
    }

    private static @Nullable Boolean less(
            List<@Nullable Object> left, List<@Nullable Object> right) {
        if (left.get(1) instanceof BigInteger a && right.get(1) instanceof BigInteger b) {
            return a.compareTo(b) < 0;
        }
        return null;
    }

    /** A table as a stream of batches of any sizes and forms, made as they are asked for. */
    static BatchStream stream(
            RowSchema schema,
            List<List<@Nullable Object>> rows,
            int maxBatch,
            Random random,
            BufferAllocator allocator) {
        return new BatchStream() {

            private int next;
            private boolean pause;
            private boolean closed;

            @Override
            public RowSchema schema() {
                return schema;
            }

            @Override
            public Poll<RecordBatch> poll() {
                if (closed) {
                    throw new IllegalStateException("closed");
                }
                if (next == rows.size()) {
                    return Poll.finished();
                }
                pause = !pause && random.nextInt(3) == 0;
                if (pause) {
                    return Poll.again();
                }
                int count = Math.min(rows.size() - next, random.nextInt(maxBatch + 1));
                List<List<@Nullable Object>> part = rows.subList(next, next + count);
                next += count;
                return Poll.output(batch(schema, part, random, allocator));
            }

            @Override
            public void close() {
                closed = true;
            }
        };
    }

    static RecordBatch batch(
            RowSchema schema,
            List<List<@Nullable Object>> rows,
            Random random,
            BufferAllocator allocator) {
        List<ColumnVector> columns = new ArrayList<>();
        for (int c = 0; c < schema.size(); c++) {
            int column = c;
            ColumnType type = schema.column(c).type();
            List<@Nullable Object> values = new ArrayList<>();
            rows.forEach(row -> values.add(row.get(column)));
            columns.add(
                    type.isNested() || random.nextInt(3) > 0
                            ? TestValues.plain(type, values, allocator)
                            : TestValues.encoded(type, values, List.of(), random, allocator));
        }
        return new RecordBatch(schema, columns, rows.size());
    }

    /** A batch's rows. */
    static void read(RecordBatch batch, List<List<@Nullable Object>> to) {
        List<List<@Nullable Object>> columns = new ArrayList<>();
        for (int i = 0; i < batch.schema().size(); i++) {
            columns.add(TestValues.values(batch.schema().column(i).type(), batch.column(i)));
        }
        for (int r = 0; r < batch.rowCount(); r++) {
            List<@Nullable Object> row = new ArrayList<>();
            for (List<@Nullable Object> column : columns) {
                row.add(column.get(r));
            }
            to.add(row);
        }
    }
}
