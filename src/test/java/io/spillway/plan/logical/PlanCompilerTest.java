package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.physical.CompiledPlan;
import io.spillway.plan.physical.Explain;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanCompilerTest {

    private static List<String> columns(String dataset, String... steps) {
        return Plans.compile(dataset, steps).plan().schema().names();
    }

    @Test
    void selectPicksComputesAndSpreads() {
        assertThat(columns("nested", Plans.select("name", "id + 1 AS next")))
                .containsExactly("name", "next");
        assertThat(columns("t", Plans.select("*", "id AS \"a \"\"quoted\"\" one\"")))
                .hasSize(23)
                .endsWith("a", "a \"quoted\" one");
        assertThat(columns("t", Plans.select("odd name", "value", "\"A\"", "id AS value2")))
                .containsExactly("odd name", "value", "A", "value2");
        assertThat(columns("t", Plans.select("CAST(id AS DOUBLE) AS x", "i as y")))
                .containsExactly("x", "y");
    }

    @Test
    void selectNeedsUniqueNames() {
        SpillwayException e = Plans.failure("t", Plans.select("id", "i AS id"));
        assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_COLUMN);
        assertThat(e.context())
                .containsEntry("column", "id")
                .containsEntry("pointer", "/plan/steps/0/columns/1");
        assertThat(Plans.failure("t", Plans.select("*", "id")).context())
                .containsEntry("pointer", "/plan/steps/0/columns/1");
        assertThat(columns("t", Plans.select("a", "A"))).containsExactly("a", "A");
    }

    @Test
    void selectSaysWhichItemIsWrong() {
        SpillwayException unknown = Plans.failure("t", Plans.select("id", "ctiy"));
        assertThat(unknown.code()).isEqualTo(ErrorCode.UNKNOWN_COLUMN);
        assertThat(unknown.context())
                .containsEntry("pointer", "/plan/steps/0/columns/1")
                .containsEntry("position", 0)
                .containsEntry("suggestion", "city");
        SpillwayException unnamed = Plans.failure("t", Plans.select("id + 1"));
        assertThat(unnamed.code()).isEqualTo(ErrorCode.INVALID_EXPRESSION);
        assertThat(unnamed).hasMessageContaining("expression AS name");
        SpillwayException untyped = Plans.failure("t", Plans.select("NULL AS x"));
        assertThat(untyped.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(untyped.context()).containsEntry("pointer", "/plan/steps/0/columns/0");
        assertThat(Plans.failure("t", Plans.select("i + AS x")).context())
                .containsEntry("position", 4);
    }

    @Test
    void withColumnsReplacesInPlaceAndAddsAtTheEnd() {
        PhysicalPlan plan =
                Plans.compile(
                                "nested",
                                "{`op`: `drop`, `columns`: [`tags`, `more`]}",
                                "{`op`: `withColumns`, `columns`: {`z`: `id`, `id`: `id * 2`, `y`:"
                                        + " `id + 1`}}")
                        .plan();
        assertThat(plan.schema().names()).containsExactly("id", "name", "z", "y");
        // All of them see the column as it was before the step.
        assertThat(Explain.text(plan))
                .contains("id * 2 AS id")
                .contains("id AS z")
                .contains("id + 1 AS y");
        SpillwayException e = Plans.failure("t", Plans.with("x", "nosuch"));
        assertThat(e.context()).containsEntry("pointer", "/plan/steps/0/columns/x");
    }

    @Test
    void renameSwapsAndKeepsPlaces() {
        String swap = "{`op`: `rename`, `columns`: {`id`: `name`, `name`: `id`}}";
        String drop = "{`op`: `drop`, `columns`: [`tags`, `more`]}";
        assertThat(columns("nested", drop, swap)).containsExactly("name", "id");
        SpillwayException clash =
                Plans.failure("nested", drop, "{`op`: `rename`, `columns`: {`id`: `name`}}");
        assertThat(clash.code()).isEqualTo(ErrorCode.DUPLICATE_COLUMN);
        assertThat((String) clash.context().get("pointer")).startsWith("/plan/steps/1");
        SpillwayException unknown =
                Plans.failure("nested", "{`op`: `rename`, `columns`: {`nam`: `x`}}");
        assertThat(unknown.code()).isEqualTo(ErrorCode.UNKNOWN_COLUMN);
        assertThat(unknown.context())
                .containsEntry("pointer", "/plan/steps/0/columns/nam")
                .containsEntry("suggestion", "name");
        assertThat(Plans.failure("nested", "{`op`: `rename`, `columns`: {`id`: ``}}").context())
                .containsEntry("pointer", "/plan/steps/0/columns/id");
    }

    @Test
    void dropTakesColumnsAway() {
        assertThat(columns("nested", "{`op`: `drop`, `columns`: [`tags`, `id`, `more`]}"))
                .containsExactly("name");
        assertThat(Plans.failure("nested", "{`op`: `drop`, `columns`: [`id`, `idd`]}").context())
                .containsEntry("pointer", "/plan/steps/0/columns/1")
                .containsEntry("suggestion", "id");
        assertThat(Plans.failure("t", "{`op`: `drop`, `columns`: [`id`, `id`]}").code())
                .isEqualTo(ErrorCode.DUPLICATE_COLUMN);
        assertThat(
                        Plans.failure(
                                        "nested",
                                        "{`op`: `drop`, `columns`: [`id`, `name`, `tags`, `more`]}")
                                .code())
                .isEqualTo(ErrorCode.INVALID_PLAN);
    }

    @Test
    void columnsThatCannotBeReadAreNeverLeftOutSilently() {
        SpillwayException whole = Plans.failure("nested");
        assertThat(whole.code()).isEqualTo(ErrorCode.FILE_NOT_SUPPORTED);
        assertThat(whole).hasMessage("Column 'tags' cannot be read: lists are not read");
        assertThat(whole.context())
                .containsEntry("column", "tags")
                .containsEntry("pointer", "/plan/from/dataset");
        assertThat(Plans.failure("nested", Plans.select("1 AS x", "*")).context())
                .containsEntry("column", "tags")
                .containsEntry("pointer", "/plan/steps/0/columns/1");
        assertThat(Plans.failure("nested", Plans.select("more")).context())
                .containsEntry("column", "more");
        assertThat(Plans.failure("nested", Plans.filter("id = 1 AND tags IS NULL")).context())
                .containsEntry("column", "tags")
                .containsEntry("pointer", "/plan/steps/0/where")
                .containsEntry("position", 11);
        assertThat(
                        columns(
                                "nested",
                                Plans.filter("id = 1"),
                                "{`op`: `rename`, `columns`: {`tags`: `t`}}",
                                Plans.limit(5),
                                Plans.with("t", "1"),
                                "{`op`: `drop`, `columns`: [`more`]}"))
                .containsExactly("id", "name", "t");
    }

    @Test
    void whatTheCatalogSaysGetsThePlaceOfTheSource() {
        SpillwayException unknown = Plans.failure("trips");
        assertThat(unknown.code()).isEqualTo(ErrorCode.UNKNOWN_DATASET);
        assertThat(unknown.context()).containsEntry("pointer", "/plan/from/dataset");
        SpillwayException outside =
                catchThrowableOfType(
                        SpillwayException.class,
                        () ->
                                Plans.compileBody(
                                        EnumSet.allOf(OptimizerRule.class),
                                        "{`plan`: {`from`: {`files`: {`format`: `parquet`, `paths`:"
                                                + " [`/etc/x`]}}}}"));
        assertThat(outside.code()).isEqualTo(ErrorCode.PATH_NOT_ALLOWED);
        assertThat(outside.context()).containsEntry("pointer", "/plan/from/files");
    }

    @Test
    void limitsStayWhereTheyWereWritten() {
        PhysicalPlan plan =
                Plans.compile("t", Plans.limit(6), Plans.filter("id >= 4"), Plans.select("id"))
                        .plan();
        assertThat(plan).isInstanceOf(PhysicalPlan.Filter.class);
        assertThat(plan.inputs().getFirst())
                .isInstanceOfSatisfying(
                        PhysicalPlan.Limit.class,
                        limit -> {
                            assertThat(limit.offset()).isZero();
                            assertThat(limit.rows()).isEqualTo(6);
                            assertThat(limit.input()).isInstanceOf(PhysicalPlan.Scan.class);
                        });
    }

    @Test
    void offsetAndLimitNeverOverflow() {
        long max = Long.MAX_VALUE;
        assertThat(limit(Plans.limit(max))).isEqualTo("whole");
        assertThat(limit(Plans.limit(max), Plans.offset(2))).isEqualTo("2+all");
        assertThat(limit(Plans.offset(2), Plans.limit(max))).isEqualTo("2+all");
        assertThat(limit(Plans.limit(max), Plans.offset(max))).isEqualTo(max + "+all");
        assertThat(limit(Plans.offset(max), Plans.offset(max))).isEqualTo("0+0");
        assertThat(limit(Plans.offset(max), Plans.limit(max))).isEqualTo(max + "+all");
        assertThat(limit(Plans.limit(0), Plans.offset(0))).isEqualTo("0+0");
        assertThat(limit(Plans.offset(1), Plans.limit(4_294_967_298L))).isEqualTo("1+4294967298");
        assertThat(limit(Plans.limit(10), Plans.offset(3), Plans.limit(20), Plans.offset(1)))
                .isEqualTo("4+6");
        assertThat(limit(Plans.limit(5), Plans.offset(7))).isEqualTo("7+0");
    }

    private static String limit(String... steps) {
        return switch (Plans.compile("t", steps).plan()) {
            case PhysicalPlan.Limit(PhysicalPlan.Scan _, long offset, long rows) ->
                    offset + "+" + (rows == Long.MAX_VALUE ? "all" : rows);
            case PhysicalPlan.Scan _ -> "whole";
            default -> "something else";
        };
    }

    @Test
    void explainsWhatIsRun() {
        CompiledPlan compiled =
                Plans.compile(
                        "t",
                        Plans.filter("id > 5 AND city IN ('a', 'b')"),
                        Plans.with("twice", "id * 2"),
                        Plans.filter("twice < 100"),
                        Plans.offset(3),
                        Plans.limit(10),
                        Plans.select("twice AS \"a b\"", "city"));

        assertThat(compiled.optimizedText())
                .isEqualTo(
                        """
                        LogicalProject(a b=[$1], city=[$0])
                          LogicalSort(offset=[3:BIGINT], fetch=[10:BIGINT])
                            LogicalProject(city=[$1], twice=[*($0, 2)])
                              LogicalFilter(condition=[AND(>($0, 5), OR(=($1, 'a'), =($1, 'b')), <(*($0, 2), 100))])
                                SnapshotScan(format=[parquet], files=[2], columns=[[id, city]])
                        """);
        assertThat(Explain.text(compiled.plan()))
                .isEqualTo(
                        """
                        Project
                          twice AS "a b" int64
                          city utf8?
                          Limit offset=3 rows=10
                            Project
                              city utf8?
                              id * 2 AS twice int64
                              Filter (id > 5) AND (city IN ('a', 'b')) AND ((id * 2) < 100)
                                Scan parquet files=2 partitions=3 rows=1,750
                                  columns id int64, city utf8?
                                  filter (id > 5) AND (city IN ('a', 'b')) AND ((id * 2) < 100)
                                  file file:///data/t/0.parquet partitions=2 rows=1,500
                                  file file:///data/t/1.parquet partitions=1 rows=250
                        """);
    }

    @Test
    void valuesKeepTheirTypes() {
        PhysicalPlan plan =
                Plans.compileBody(
                                EnumSet.allOf(OptimizerRule.class),
                                "{`plan`: {`from`: {`values`: {`columns`: [`a`, {`name`: `u`,"
                                        + " `type`: `uint64`}], `rows`: [[1, 18446744073709551615]]}},"
                                        + " `steps`: [{`op`: `select`, `columns`: [`u`]}]}}")
                        .plan();
        assertThat(plan)
                .isInstanceOfSatisfying(
                        PhysicalPlan.Values.class,
                        values -> {
                            assertThat(values.schema().names()).containsExactly("u");
                            assertThat(values.rows().getFirst().getFirst().value())
                                    .isEqualTo("18446744073709551615");
                        });
    }

    @Test
    void canBeUsedByManyThreads() throws Exception {
        PlanCompiler compiler = Plans.compiler(EnumSet.allOf(OptimizerRule.class));
        compiler.warmUp();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<List<String>>> answers =
                    IntStream.range(0, 40)
                            .mapToObj(
                                    n ->
                                            threads.submit(
                                                    () ->
                                                            columns(
                                                                    "t",
                                                                    Plans.select(
                                                                            "id + " + n + " AS c"
                                                                                    + n))))
                            .toList();
            for (int n = 0; n < answers.size(); n++) {
                assertThat(answers.get(n).get()).containsExactly("c" + n);
            }
        }
    }
}
