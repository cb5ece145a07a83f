package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.cast;
import static io.spillway.expression.ExpressionTesting.column;
import static io.spillway.expression.ExpressionTesting.list;
import static io.spillway.expression.ExpressionTesting.over;
import static io.spillway.expression.ExpressionTesting.tryCast;
import static io.spillway.expression.ExpressionTesting.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.testing.NestedValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conversions between nested types: by elements, and by the names of fields. */
class NestedCastTest {

    private static final List<ColumnType> LEAVES =
            Stream.of("int8", "uint16", "float32", "utf8", "bool").map(ColumnType::parse).toList();

    private static List<@Nullable Object> converted(
            String from, String to, @Nullable Object... values) {
        return over(type(from), list(values), cast(column(0, type(from)), type(to)));
    }

    private static BigInteger integer(long value) {
        return BigInteger.valueOf(value);
    }

    @Test
    void elementsAreWidened() {
        assertThat(
                        converted(
                                "list<int32>",
                                "list<int64>",
                                list(integer(1), null),
                                null,
                                list(),
                                list(integer(Integer.MIN_VALUE))))
                .containsExactly(
                        list(integer(1), null), null, list(), list(integer(Integer.MIN_VALUE)));
        assertThat(converted("list<int32 not null>", "list<float64>", list(integer(3))))
                .containsExactly(list(3.0));
        assertThat(
                        converted(
                                "list<decimal(4,1)>",
                                "list<decimal(10,2)>",
                                list(new BigDecimal("1.5"))))
                .containsExactly(list(new BigDecimal("1.50")));
    }

    @Test
    void fieldsMeetByName() {
        assertThat(
                        converted(
                                "struct<a int32,b utf8,gone bool>",
                                "struct<b utf8,new list<date>,a int64>",
                                list(integer(1), "x", true),
                                null,
                                list(null, null, false)))
                .containsExactly(list("x", null, integer(1)), null, list(null, null, null));
        // Names differ by case.
        assertThat(converted("struct<a int32>", "struct<A int32>", list(integer(1))))
                .containsExactly(list((Object) null));
    }

    @Test
    void mapsAreWidenedInKeysAndValues() {
        assertThat(
                        converted(
                                "map<int8,struct<x int8>>",
                                "map<int64,struct<x int16,y utf8>>",
                                list(list(integer(-1), list(integer(5))), list(integer(-1), null)),
                                list(),
                                null))
                .containsExactly(
                        list(list(integer(-1), list(integer(5), null)), list(integer(-1), null)),
                        list(),
                        null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "list<int32> | int32",
                "list<int32> | utf8",
                "utf8 | list<utf8>",
                "list<int32> | struct<a int32>",
                "map<utf8,int32> | list<struct<key utf8,value int32>>",
                "struct<a int32> | map<utf8,int32>",
                "list<date> | list<bool>",
                "list<int32> | list<int32 not null>",
                "list<list<int32>> | list<list<int64> not null>",
                "map<utf8,int32> | map<utf8,int32 not null>",
                "struct<a int32> | struct<a int32 not null>",
                "struct<a int32> | struct<a int32,b int32 not null>"
            })
    void otherShapesAreRefused(String from, String to) {
        assertThatThrownBy(() -> converted(from, to))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH));
    }

    @Test
    void aValueThatDoesNotFitIsAnErrorOrNull() {
        ColumnType from = type("list<int32>");
        ColumnType to = type("list<int8>");
        List<@Nullable Object> values = list(list(integer(7), integer(300)));
        assertThatThrownBy(() -> over(from, values, cast(column(0, from), to)))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CAST));
        assertThat(over(from, values, tryCast(column(0, from), to)))
                .containsExactly(list(integer(7), null));
    }

    @Test
    void whatStandsUnderANullIsNotConverted() {
        ColumnType from = type("struct<l list<date not null>,d date not null>");
        ColumnType to = type("struct<d timestamp(ns) not null,l list<timestamp(ns) not null>>");
        NestedValues.Hidden outOfRange =
                new NestedValues.Hidden(new Random(1), (_, _) -> integer(Integer.MAX_VALUE));
        List<@Nullable Object> values = new ArrayList<>();
        List<@Nullable Object> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            values.add(null);
            expected.add(null);
            values.add(list(null, integer(1)));
            expected.add(list(integer(86_400_000_000_000L), null));
            values.add(list(list(integer(1)), integer(0)));
            expected.add(list(integer(0), list(integer(86_400_000_000_000L))));
        }
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch batch =
                        new RecordBatch(
                                TestValues.schema(from),
                                List.of(TestValues.nested(from, values, outOfRange, allocator)),
                                values.size());
                VectorExpression cast =
                        ExpressionCompiler.compile(cast(column(0, from), to), batch.schema());
                ColumnVector result = cast.evaluate(batch, allocator)) {
            assertThat(TestValues.values(to, result)).isEqualTo(expected);
        }
    }

    /** A type that has grown, and a value as one of it. */
    private record Grown(ColumnType type, List<@Nullable Object> values) {

        static Grown of(ColumnType type, List<@Nullable Object> values, Random random) {
            return switch (type) {
                case ColumnType.Int(int bits, boolean signed) ->
                        new Grown(
                                random.nextBoolean()
                                        ? new ColumnType.Int(64, true)
                                        : new ColumnType.Int(bits, signed),
                                values);
                case ColumnType.FloatingPoint _ ->
                        new Grown(new ColumnType.FloatingPoint(64), values);
                case ColumnType.ListOf(ColumnType element, boolean nullable) -> {
                    Grown elements = of(element, flat(values), random);
                    yield new Grown(
                            new ColumnType.ListOf(elements.type, nullable || random.nextBoolean()),
                            nested(values, elements.values));
                }
                case ColumnType.MapOf(ColumnType key, ColumnType value, boolean nullable) -> {
                    Grown pairs = pairs(key, value, nullable, flat(values), random);
                    yield new Grown(pairs.type, nested(values, pairs.values));
                }
                case ColumnType.Struct(List<ColumnSchema> fields) -> struct(fields, values, random);
                case ColumnType _ -> new Grown(type, values);
            };
        }

        private static Grown pairs(
                ColumnType key,
                ColumnType value,
                boolean nullable,
                List<@Nullable Object> pairs,
                Random random) {
            Grown keys = of(key, field(pairs, 0), random);
            Grown values = of(value, field(pairs, 1), random);
            List<@Nullable Object> both = new ArrayList<>();
            for (int i = 0; i < pairs.size(); i++) {
                both.add(list(keys.values.get(i), values.values.get(i)));
            }
            return new Grown(new ColumnType.MapOf(keys.type, values.type, nullable), both);
        }

        private static Grown struct(
                List<ColumnSchema> fields, List<@Nullable Object> values, Random random) {
            List<ColumnSchema> order = new ArrayList<>(fields);
            order.add(new ColumnSchema("added", new ColumnType.Date(), true));
            Collections.shuffle(order, random);
            List<ColumnSchema> grown = new ArrayList<>();
            List<List<@Nullable Object>> columns = new ArrayList<>();
            for (ColumnSchema field : order) {
                int index = fields.indexOf(field);
                Grown column =
                        index < 0
                                ? new Grown(field.type(), nulls(values.size()))
                                : of(field.type(), field(values, index), random);
                grown.add(new ColumnSchema(field.name(), column.type, field.nullable()));
                columns.add(column.values);
            }
            List<@Nullable Object> structs = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                List<@Nullable Object> struct = new ArrayList<>();
                for (List<@Nullable Object> column : columns) {
                    struct.add(column.get(i));
                }
                structs.add(values.get(i) == null ? null : struct);
            }
            return new Grown(new ColumnType.Struct(grown), structs);
        }

        private static List<@Nullable Object> nulls(int count) {
            List<@Nullable Object> nulls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                nulls.add(null);
            }
            return nulls;
        }

        private static List<@Nullable Object> flat(List<@Nullable Object> lists) {
            List<@Nullable Object> flat = new ArrayList<>();
            for (Object list : lists) {
                if (list instanceof List<?> elements) {
                    flat.addAll(elements);
                }
            }
            return flat;
        }

        private static List<@Nullable Object> nested(
                List<@Nullable Object> lists, List<@Nullable Object> elements) {
            List<@Nullable Object> nested = new ArrayList<>();
            int at = 0;
            for (Object list : lists) {
                if (list instanceof List<?> old) {
                    nested.add(new ArrayList<>(elements.subList(at, at + old.size())));
                    at += old.size();
                } else {
                    nested.add(null);
                }
            }
            return nested;
        }

        private static List<@Nullable Object> field(List<@Nullable Object> structs, int index) {
            List<@Nullable Object> values = new ArrayList<>();
            for (Object struct : structs) {
                values.add(struct instanceof List<?> fields ? fields.get(index) : null);
            }
            return values;
        }
    }

    @Property(tries = 150)
    void filesOfATypeThatHasGrownAreRead(@ForAll long seed) {
        Random random = new Random(seed);
        ColumnType from = NestedValues.type(LEAVES, 3, random);
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = random.nextInt(100); i > 0; i--) {
            values.add(random.nextInt(4) == 0 ? null : RandomValues.value(from, random));
        }
        int cut = random.nextInt(values.size() + 1);
        Grown grown = Grown.of(from, values, random);
        NestedValues.Hidden hidden = new NestedValues.Hidden(random, RandomValues::value);
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch whole =
                        new RecordBatch(
                                TestValues.schema(from),
                                List.of(
                                        TestValues.nested(
                                                from,
                                                values,
                                                random.nextBoolean() ? hidden : null,
                                                allocator)),
                                values.size());
                RecordBatch batch = whole.slice(cut, values.size() - cut);
                VectorExpression cast =
                        ExpressionCompiler.compile(
                                cast(column(0, from), grown.type), batch.schema());
                ColumnVector result = cast.evaluate(batch, allocator)) {
            assertThat(TestValues.values(grown.type, result))
                    .isEqualTo(grown.values.subList(cut, values.size()));
        }
    }
}
