package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.physical.Explain;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lists, structs and maps pass through plans as they are, and nothing but functions made for it
 * looks into them.
 */
class NestedColumnsTest {

    private static final String LIST = "list<int32>";

    private static PhysicalPlan plan(String... steps) {
        PhysicalPlan optimised = Plans.compile("shapes", steps).plan();
        PhysicalPlan plain =
                Plans.compile(EnumSet.noneOf(OptimizerRule.class), "shapes", steps).plan();
        assertThat(optimised.schema()).isEqualTo(plain.schema());
        return optimised;
    }

    private static String type(String expression) {
        ColumnSchema column = plan(Plans.select(expression + " AS x")).schema().column(0);
        return column.type() + (column.nullable() ? "" : " not null");
    }

    @Test
    void areSelectedRenamedAndDroppedWithTheirTypes() {
        assertThat(plan(Plans.select("*")).schema())
                .isEqualTo(Plans.CATALOG.dataset("shapes").schema());
        PhysicalPlan plan =
                plan(
                        "{`op`: `rename`, `columns`: {`s`: `t`}}",
                        "{`op`: `drop`, `columns`: [`l`, `l2`, `wide`, `u8`]}",
                        Plans.with("copy", "m"),
                        Plans.filter("id > 5 AND t IS NOT NULL"));
        assertThat(plan.schema().names())
                .containsExactly("id", "t", "capital", "m", "sure", "copy");
        assertThat(plan.schema().columns().stream().map(c -> c.type().toString()))
                .containsExactly(
                        "int64",
                        "struct<x int32,\"odd, name\" utf8>",
                        "struct<X int32,\"odd, name\" utf8>",
                        "map<utf8,list<struct<a date>>>",
                        "list<utf8 not null>",
                        "map<utf8,list<struct<a date>>>");
    }

    @Test
    void areTestedForNull() {
        assertThat(Explain.text(plan(Plans.filter("l IS NULL OR NOT (s IS NULL)"))))
                .contains("(l IS NULL) OR (NOT (s IS NULL))");
        assertThat(type("m IS NULL")).isEqualTo("bool not null");
        assertThat(type("COALESCE(l, l2) IS NOT NULL")).isEqualTo("bool not null");
    }

    @Test
    void passThroughCaseAndCoalesce() {
        assertThat(type("COALESCE(l, l2)")).isEqualTo(LIST);
        assertThat(type("COALESCE(l, NULL)")).isEqualTo(LIST);
        assertThat(type("COALESCE(sure, sure)")).isEqualTo("list<utf8 not null> not null");
        assertThat(type("CASE WHEN id > 5 THEN l ELSE l2 END")).isEqualTo(LIST);
        assertThat(type("CASE WHEN id > 5 THEN s END"))
                .isEqualTo("struct<x int32,\"odd, name\" utf8>");
        assertThat(type("CASE id WHEN 1 THEN NULL WHEN 2 THEN m ELSE NULL END"))
                .isEqualTo("map<utf8,list<struct<a date>>>");
        assertThat(type("CASE WHEN l IS NULL THEN l2 ELSE COALESCE(l, l2) END")).isEqualTo(LIST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "l = l2 | 0 | = is not supported for list<int32>",
                "1 = l | 4 | = is not supported for list<int32>",
                "id = 1 AND s <> s | 11 | <> is not supported for struct<x int32,\"odd, name\""
                        + " utf8>",
                "l < l2 | 0 | < is not supported for list<int32>",
                "l IS DISTINCT FROM l2 | 0 | IS DISTINCT FROM is not supported for list<int32>",
                "l IN (l2) | 0 | IN is not supported for list<int32>",
                "1 IN (2, l) | 9 | IN is not supported for list<int32>",
                "l BETWEEN l AND l | 0 | BETWEEN ASYMMETRIC is not supported for list<int32>",
                "l LIKE 'a' | 0 | LIKE is not supported for list<int32>",
                "l + 1 = 2 | 0 | + is not supported for list<int32>",
                "-m = 1 | 1 | - is not supported for map<utf8,list<struct<a date>>>",
                "UPPER(sure) = 'A' | 6 | UPPER is not supported for list<utf8 not null>",
                "NOT l | 4 | NOT is not supported for list<int32>",
                "l AND id = 1 | 0 | AND is not supported for list<int32>",
                "l IS TRUE | 0 | IS TRUE is not supported for list<int32>",
                "NULLIF(l, l2) IS NULL | 7 | NULLIF is not supported for list<int32>",
                "CAST(l AS VARCHAR) = '' | 5 | CAST is not supported for list<int32>",
                "CASE l WHEN l2 THEN 1 END = 1 | 5 | = is not supported for list<int32>",
                "CASE WHEN id = 1 THEN l END = l2 | 0 | = is not supported for list<int32>",
                "COALESCE(l, l2) = l2 | 0 | = is not supported for list<int32>"
            })
    void nothingElseIsDoneWithThem(String where, int position, String message) {
        mismatch(where, position, message);
    }

    @Test
    void theyAreNotConcatenated() {
        mismatch("l || l2 = l", 0, "|| is not supported for list<int32>");
    }

    private static void mismatch(String where, int position, String message) {
        SpillwayException e = Plans.failure("shapes", Plans.filter(where));
        assertThat(e).hasMessageContaining(message);
        assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/steps/0/where")
                .containsEntry("position", position)
                .containsKey("found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CASE WHEN id = 1 THEN l ELSE s END",
                "CASE WHEN id = 1 THEN s ELSE capital END",
                "CASE WHEN id = 1 THEN l ELSE wide END",
                "CASE WHEN id = 1 THEN l ELSE 1 END",
                "CASE WHEN id = 1 THEN 'a' WHEN id = 2 THEN m END",
                "COALESCE(l, wide)",
                "COALESCE(l, u8)",
                "COALESCE(u8, l)"
            })
    void typesDoNotMix(String expression) {
        SpillwayException e =
                Plans.failure("shapes", Plans.select("(" + expression + ") IS NULL AS x"));
        assertThat(e.code()).as(e.toString()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/steps/0/columns/0")
                .containsKey("position");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "s.x | int32",
                "s.\"odd, name\" | utf8",
                "STRUCT_EXTRACT(s, 'odd, name') | utf8",
                "l[1] | int32",
                "ELEMENT_AT(wide, -1) + 1 | int64",
                "CARDINALITY(l) | int64",
                "CARDINALITY(m) | int64",
                "CARDINALITY(sure) | int64 not null",
                "ARRAY_CONTAINS(l, 5) | bool",
                "ARRAY_CONTAINS(wide, s.x) | bool",
                "LIST_CONTAINS(sure, 'a') | bool not null",
                "NAMED_STRUCT('a', l, 'b', s.x + 1, 'c', NAMED_STRUCT('d', 'e')) | struct<a list<int32>,b int32,c struct<d utf8>> not null",
                "STRUCT_EXTRACT(NAMED_STRUCT('a', s), 'a') | struct<x int32,\"odd, name\" utf8>"
            })
    void functionsTakeThemApart(String expression, String type) {
        assertThat(type(expression)).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "s.y = 1 | UNKNOWN_COLUMN | 0",
                "id = 1 AND l.x = 2 | UNKNOWN_COLUMN | 11",
                "id = 1 OR s['x'] = 2 | TYPE_MISMATCH | 10",
                "m[1] = 2 | TYPE_MISMATCH | 0",
                "CARDINALITY(s) = 1 | TYPE_MISMATCH | 0",
                "CARDINALITY(id) = 1 | TYPE_MISMATCH |",
                "ARRAY_CONTAINS(l, 'a') | TYPE_MISMATCH |",
                "ARRAY_CONTAINS(l, l) | TYPE_MISMATCH | 18",
                "ELEMENT_AT(l, 'a') = 1 | TYPE_MISMATCH |",
                "UPPER(l[1]) = 'A' | TYPE_MISMATCH | 0",
                "NAMED_STRUCT('a', 1) = 1 | TYPE_MISMATCH | 0",
                "NAMED_STRUCT('a', 1, 'b') IS NULL | INVALID_EXPRESSION | 0",
                "NAMED_STRUCT(id, 1) IS NULL | INVALID_EXPRESSION | 0",
                "NAMED_STRUCT('a', 1, 'a', 2) IS NULL | DUPLICATE_COLUMN | 0",
                "NAMED_STRUCT('a') IS NULL | INVALID_EXPRESSION | 0",
                "NAMED_STRUCT('a', NULL) IS NULL | NOT_SUPPORTED |"
            })
    void whatHasNoSuchPartsIsAnError(String where, ErrorCode code, Integer position) {
        SpillwayException e = Plans.failure("shapes", Plans.filter(where));
        assertThat(e.code()).as(e.toString()).isEqualTo(code);
        assertThat(e.context()).containsEntry("pointer", "/plan/steps/0/where");
        if (position != null) {
            assertThat(e.context()).containsEntry("position", position);
        }
    }

    @Test
    void aFilterIsNoList() {
        SpillwayException e = Plans.failure("shapes", Plans.filter("l"));
        assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(e).hasMessageContaining(LIST);
    }

    @Test
    void typesAreTheSameOnBothSidesOfCalcite() {
        List<String> types =
                List.of(
                        "list<int32>",
                        "list<int32 not null>",
                        "struct<a int32>",
                        "struct<A int32>",
                        "map<utf8,uint8>",
                        "struct<\"a int32>\" int32>");
        for (String a : types) {
            for (String b : types) {
                ColumnType left = ColumnType.parse(a);
                ColumnType right = ColumnType.parse(b);
                assertThat(TypeMapping.toColumn(TypeMapping.toRel(left, true))).isEqualTo(left);
                assertThat(TypeMapping.toRel(left, false).equals(TypeMapping.toRel(right, false)))
                        .isEqualTo(a.equals(b));
            }
            assertThat(TypeMapping.toRel(ColumnType.parse(a), true))
                    .isNotEqualTo(TypeMapping.toRel(ColumnType.parse(a), false));
        }
    }
}
