package io.spillway.scan.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import java.util.stream.Stream;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Parquet's rules for lists and maps, the examples of its documentation among them. */
class NestedTypesTest {

    private static ColumnNode node(String field) {
        Type type = MessageTypeParser.parseMessageType("message m {" + field + "}").getType(0);
        assertThat(NestedTypes.unreadable(type)).isNull();
        return NestedTypes.of(type, 0);
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                // Lists of three levels
                rule(
                        "required group f (LIST) { repeated group list {"
                                + " optional binary element (STRING); } }",
                        "list<utf8> not null"),
                rule(
                        "optional group f (LIST) { repeated group list {"
                                + " required binary element (STRING); } }",
                        "list<utf8 not null>"),
                rule(
                        "optional group f (LIST) { repeated group list { required group element"
                                + " (LIST) { repeated group list { required int32 element; } } } }",
                        "list<list<int32 not null> not null>"),
                rule(
                        "optional group f (LIST) { repeated group element {"
                                + " required binary str (STRING); } }",
                        "list<utf8 not null>"),
                rule(
                        "optional group f (LIST) { repeated group element {"
                                + " optional binary str (STRING); } }",
                        "list<utf8>"),
                // The repeated field is the element
                rule("optional group f (LIST) { repeated int32 element; }", "list<int32 not null>"),
                rule(
                        "optional group f (LIST) { repeated group element {"
                                + " required binary str (STRING); required int32 num; } }",
                        "list<struct<str utf8 not null,num int32 not null> not null>"),
                rule(
                        "optional group f (LIST) { repeated group array (LIST) {"
                                + " repeated int32 array; } }",
                        "list<list<int32 not null> not null>"),
                rule(
                        "optional group f (LIST) { repeated group array {"
                                + " required binary str (STRING); } }",
                        "list<struct<str utf8 not null> not null>"),
                rule(
                        "optional group f (LIST) { repeated group f_tuple {"
                                + " required binary str (STRING); } }",
                        "list<struct<str utf8 not null> not null>"),
                rule(
                        "optional group f (LIST) { repeated group g_tuple {"
                                + " required binary str (STRING); } }",
                        "list<utf8 not null>"),
                rule(
                        "optional group f (LIST) { repeated group list { repeated int32 x; } }",
                        "list<struct<x list<int32 not null> not null> not null>"),
                rule(
                        "optional group f (LIST) { repeated group element (MAP) {"
                                + " repeated group kv { required int32 k; required int32 v; } } }",
                        "list<map<int32,int32 not null> not null>"),
                // Repeated fields that nothing is said of
                rule("repeated int32 f;", "list<int32 not null> not null"),
                rule(
                        "repeated group f { required int32 num; optional binary str (STRING); }",
                        "list<struct<num int32 not null,str utf8> not null> not null"),
                rule(
                        "repeated group f (LIST) { repeated group list { optional int32 e; } }",
                        "list<list<int32> not null> not null"),
                rule(
                        "optional group f { repeated int32 x; }",
                        "struct<x list<int32 not null> not null>"),
                // Maps
                rule(
                        "required group f (MAP) { repeated group key_value {"
                                + " required binary key (STRING); optional int32 value; } }",
                        "map<utf8,int32> not null"),
                rule(
                        "optional group f (MAP) { repeated group map {"
                                + " required binary str (STRING); required int32 num; } }",
                        "map<utf8,int32 not null>"),
                rule(
                        "optional group f (MAP_KEY_VALUE) { repeated group map {"
                                + " required binary key (STRING); optional int32 value; } }",
                        "map<utf8,int32>"),
                rule(
                        "optional group f (MAP) { repeated group map (MAP_KEY_VALUE) {"
                                + " optional int32 key; optional group value (LIST) {"
                                + " repeated group list { optional int32 element; } } } }",
                        "map<int32,list<int32>>"),
                rule(
                        "optional group f (MAP) { repeated group key_value {"
                                + " required group key { required int32 a; } repeated int32 v; } }",
                        "map<struct<a int32 not null>,list<int32 not null> not null>"),
                rule(
                        "optional group f (MAP) { repeated group key_value {"
                                + " required int32 key; } }",
                        "list<int32 not null>"),
                // What is annotated but has another form
                rule("optional group f (LIST) { optional int32 x; }", "struct<x int32>"),
                rule(
                        "optional group f (LIST) { repeated int32 x; repeated int32 y; }",
                        "struct<x list<int32 not null> not null,y list<int32 not null> not null>"),
                rule(
                        "optional group f (MAP) { repeated int32 x; }",
                        "struct<x list<int32 not null> not null>"),
                rule(
                        "optional group f (MAP) { repeated group kv { required int32 a;"
                                + " required int32 b; required int32 c; } }",
                        "struct<kv list<struct<a int32 not null,b int32 not null,c int32 not null>"
                                + " not null> not null>"),
                rule(
                        "optional group f (MAP) { repeated group kv { repeated int32 a;"
                                + " required int32 b; } }",
                        "struct<kv list<struct<a list<int32 not null> not null,b int32 not null>"
                                + " not null> not null>"));
    }

    private static Arguments rule(String field, String type) {
        return Arguments.of(field, type);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void rulesOfTheFormat(String field, String expected) {
        ColumnNode node = node(field);
        assertThat(node.field().type() + (node.field().nullable() ? "" : " not null"))
                .isEqualTo(expected);
        assertThat(node.field().toArrow().getName()).isEqualTo("f");
    }

    @Test
    void levels() {
        ColumnNode map =
                node(
                        "optional group f (MAP) { repeated group kv { required int32 k;"
                                + " optional group v (LIST) { repeated group l { optional int32 e;"
                                + " } } } }");
        ColumnNode.Repeated repeated = (ColumnNode.Repeated) map;
        assertThat(repeated.presentAt()).isEqualTo(1);
        assertThat(repeated.repetition()).isEqualTo(1);
        assertThat(repeated.elementAt()).isEqualTo(2);
        ColumnNode.Leaf key = map.leaves().get(0);
        assertThat(key.presentAt()).isEqualTo(2);
        assertThat(key.repetition()).isEqualTo(1);
        assertThat(key.chunk()).isZero();
        ColumnNode.Leaf element = map.leaves().get(1);
        assertThat(element.presentAt()).isEqualTo(5);
        assertThat(element.repetition()).isEqualTo(2);
        assertThat(element.chunk()).isEqualTo(1);
    }

    @Test
    void theDeepestTypeHasATextForm() {
        String type = "int32";
        for (int i = 0; i < NestedTypes.MAX_DEPTH; i++) {
            type = "list<" + type + ">";
        }
        assertThat(NestedTypes.depth(ColumnType.parse(type))).isEqualTo(NestedTypes.MAX_DEPTH);
    }
}
