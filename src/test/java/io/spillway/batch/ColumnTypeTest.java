package io.spillway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.SpillwayException;
import io.spillway.testing.NestedValues;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnTypeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
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
                "decimal(38,18)",
                "decimal(5,0)",
                "utf8",
                "binary",
                "binary(16)",
                "date",
                "time(ms)",
                "time(us)",
                "time(ns)",
                "timestamp(s)",
                "timestamp(ms)",
                "timestamp(us)",
                "timestamp(ns)",
                "timestamp(us,UTC)",
                "list<int32>",
                "list<list<utf8 not null> not null>",
                "map<utf8,int64>",
                "map<list<int8>,struct<> not null>",
                "struct<>",
                "struct<x float64,y float64 not null>",
                "struct<\"odd name\" utf8,\"\" bool,\"a\"\"b\" date,\"x,y>\" map<int32,decimal(10,2)>>"
            })
    void theTextFormReadsBack(String text) {
        ColumnType type = ColumnType.parse(text);
        assertThat(type).hasToString(text);
        assertThat(new ColumnSchema("x", type, true).toArrow().getType()).isEqualTo(type.toArrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "int",
                "int128",
                "decimal",
                "decimal(1)",
                "time",
                "time(h)",
                "timestamp()",
                "utf8 ",
                "utf8(1)",
                "decimal(a,b)",
                "binary(x)",
                "timestamp(us,CET)",
                "list",
                "list<>",
                "list<int32",
                "list<int32>>",
                "list< int32>",
                "list<int32 not  null>",
                "map<utf8>",
                "map<utf8 not null,int32>",
                "struct<x>",
                "struct<x int32,>",
                "struct<,x int32>",
                "struct<1 int32>",
                "struct<\"x int32>",
                "struct<x int32,x utf8>"
            })
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> ColumnType.parse(text)).isInstanceOf(SpillwayException.class);
    }

    @Property(tries = 500)
    void theTextFormOfAnyNestedTypeReadsBack(@ForAll long seed) {
        List<ColumnType> leaves =
                Stream.of("bool", "uint8", "decimal(38,38)", "binary(3)", "timestamp(ns,UTC)")
                        .map(ColumnType::parse)
                        .toList();
        ColumnType type = NestedValues.type(leaves, 5, new Random(seed));
        assertThat(ColumnType.parse(type.toString())).isEqualTo(type);
        assertThat(ColumnType.parse(type.toString())).hasToString(type.toString());
        // Arrow has the same children, under the same names.
        assertThat(leafCount(new ColumnSchema("x", type, true).toArrow()))
                .isEqualTo(leafCount(type));
    }

    private static int leafCount(Field field) {
        return field.getChildren().isEmpty() && !(field.getType() instanceof ArrowType.Struct)
                ? 1
                : field.getChildren().stream().mapToInt(ColumnTypeTest::leafCount).sum();
    }

    private static int leafCount(ColumnType type) {
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) -> leafCount(element);
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    leafCount(key) + leafCount(value);
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    fields.stream().mapToInt(f -> leafCount(f.type())).sum();
            case ColumnType _ -> 1;
        };
    }

    @Test
    void typesAreNestedAtMostSixtyFourTimes() {
        ColumnType deep = ColumnType.parse("list<".repeat(64) + "bool" + ">".repeat(64));
        assertThat(deep.isNested()).isTrue();
        assertThatThrownBy(() -> ColumnType.parse("list<" + deep + ">"))
                .isInstanceOf(SpillwayException.class);
        assertThatThrownBy(() -> ColumnType.parse("list<".repeat(100_000)))
                .isInstanceOf(SpillwayException.class);
    }
}
