package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.physical.CompiledPlan;
import io.spillway.plan.physical.PhysicalPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The queries of TPC-H, with the parameters that its specification validates, over tables as large
 * as those of scale factor 1: all are planned, with sub-queries as joins.
 */
class TpchPlanTest {

    static final MemoryCatalog CATALOG =
            new MemoryCatalog()
                    .withRows("region", 5, "r_regionkey int32", "r_name utf8", "r_comment utf8")
                    .withRows(
                            "nation",
                            25,
                            "n_nationkey int32",
                            "n_name utf8",
                            "n_regionkey int32",
                            "n_comment utf8")
                    .withRows(
                            "supplier",
                            10_000,
                            "s_suppkey int64",
                            "s_name utf8",
                            "s_address utf8",
                            "s_nationkey int32",
                            "s_phone utf8",
                            "s_acctbal decimal(15,2)",
                            "s_comment utf8")
                    .withRows(
                            "part",
                            200_000,
                            "p_partkey int64",
                            "p_name utf8",
                            "p_mfgr utf8",
                            "p_brand utf8",
                            "p_type utf8",
                            "p_size int32",
                            "p_container utf8",
                            "p_retailprice decimal(15,2)",
                            "p_comment utf8")
                    .withRows(
                            "partsupp",
                            800_000,
                            "ps_partkey int64",
                            "ps_suppkey int64",
                            "ps_availqty int64",
                            "ps_supplycost decimal(15,2)",
                            "ps_comment utf8")
                    .withRows(
                            "customer",
                            150_000,
                            "c_custkey int64",
                            "c_name utf8",
                            "c_address utf8",
                            "c_nationkey int32",
                            "c_phone utf8",
                            "c_acctbal decimal(15,2)",
                            "c_mktsegment utf8",
                            "c_comment utf8")
                    .withRows(
                            "orders",
                            1_500_000,
                            "o_orderkey int64",
                            "o_custkey int64",
                            "o_orderstatus utf8",
                            "o_totalprice decimal(15,2)",
                            "o_orderdate date",
                            "o_orderpriority utf8",
                            "o_clerk utf8",
                            "o_shippriority int32",
                            "o_comment utf8")
                    .withRows(
                            "lineitem",
                            6_001_215,
                            "l_orderkey int64",
                            "l_partkey int64",
                            "l_suppkey int64",
                            "l_linenumber int64",
                            "l_quantity decimal(15,2)",
                            "l_extendedprice decimal(15,2)",
                            "l_discount decimal(15,2)",
                            "l_tax decimal(15,2)",
                            "l_returnflag utf8",
                            "l_linestatus utf8",
                            "l_shipdate date",
                            "l_commitdate date",
                            "l_receiptdate date",
                            "l_shipinstruct utf8",
                            "l_shipmode utf8",
                            "l_comment utf8");

    /**
     * Scans in which a filter leaves out rows have a star; what is computed or dropped between is
     * left out.
     */
    private static String shape(PhysicalPlan plan) {
        return switch (plan) {
            case PhysicalPlan.Scan scan ->
                    scan.files().getFirst().status().uri().replaceFirst(".*/(\\w+)/0.parquet", "$1")
                            + (scan.filter() == null ? "" : "*");
            case PhysicalPlan.Filter(PhysicalPlan.Scan scan, var _) -> shape(scan);
            case PhysicalPlan.Filter filter -> "filter(" + shape(filter.input()) + ")";
            case PhysicalPlan.Aggregate aggregate ->
                    (aggregate.keys().isEmpty() ? "total(" : "groups(")
                            + shape(aggregate.input())
                            + ")";
            case PhysicalPlan.Distinct distinct -> "distinct(" + shape(distinct.input()) + ")";
            case PhysicalPlan.Join join ->
                    "(%s %s %s)"
                            .formatted(
                                    shape(join.left()),
                                    join.keys().isEmpty()
                                            ? "all pairs"
                                            : join.type().name().toLowerCase(Locale.ROOT),
                                    shape(join.right()));
            default -> shape(plan.inputs().getFirst());
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | groups(lineitem*)",
                "2 | (((((partsupp inner part*) inner supplier) inner nation) inner region*) inner"
                        + " groups((((partsupp inner supplier) inner nation) inner region*)))",
                "3 | groups(((lineitem* inner orders*) inner customer*))",
                "4 | groups((orders* semi lineitem*))",
                "5 | groups((((((lineitem inner orders*) inner customer) inner supplier) inner"
                        + " nation) inner region*))",
                "6 | total(lineitem*)",
                "7 | groups((((((lineitem* inner supplier) inner orders) inner customer) inner"
                        + " nation*) inner nation*))",
                "8 | groups((((((((lineitem inner part*) inner supplier) inner orders*) inner"
                        + " customer) inner nation) inner nation) inner region*))",
                "9 | groups((((((lineitem inner part*) inner supplier) inner partsupp) inner"
                        + " orders) inner nation))",
                "10 | groups((((lineitem* inner orders*) inner customer) inner nation))",
                "11 | filter((groups(((partsupp inner supplier) inner nation*)) all pairs"
                        + " total(((partsupp inner supplier) inner nation*))))",
                "12 | groups((lineitem* inner orders))",
                "13 | groups(groups((customer left orders*)))",
                "14 | total((lineitem* inner part))",
                "15 | ((groups(lineitem*) inner total(groups(lineitem*))) inner supplier)",
                "16 | groups(((partsupp inner part*) anti supplier*))",
                "17 | total(((lineitem inner part*) inner groups(lineitem)))",
                "18 | groups(((lineitem inner (orders semi filter(groups(lineitem)))) inner"
                        + " customer))",
                "19 | total((lineitem* inner part*))",
                "20 | ((supplier semi ((partsupp semi part*) inner groups(lineitem*))) inner"
                        + " nation*)",
                "21 | groups((((((lineitem* inner supplier) inner orders*) inner nation*) semi"
                        + " lineitem) anti lineitem*))",
                "22 | groups(((customer* anti orders) all pairs total(customer*)))"
            })
    void joinsByKeysFromTheLargestTableOnAndFiltersScans(int number, String shape) {
        assertThat(shape(plan(number))).isEqualTo(shape);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void noCorrelationIsLeft(int number) {
        assertThat(compiled(number).logicalText()).doesNotContain("Correlate", "$cor");
    }

    /** Of the queries that ask for the first rows. */
    @ParameterizedTest
    @CsvSource({"2, 100", "3, 10", "10, 20", "18, 100", "21, 100"})
    void keepsNoMoreRowsThanAreAskedFor(int number, long rows) {
        assertThat(plan(number))
                .isInstanceOfSatisfying(
                        PhysicalPlan.Limit.class,
                        limit ->
                                assertThat(limit.input())
                                        .isInstanceOfSatisfying(
                                                PhysicalPlan.Sort.class,
                                                sort -> assertThat(sort.rows()).isEqualTo(rows)));
    }

    static IntStream numbers() {
        return IntStream.rangeClosed(1, 22);
    }

    private static PhysicalPlan plan(int number) {
        return compiled(number).plan();
    }

    private static CompiledPlan compiled(int number) {
        return Plans.query(CATALOG, EnumSet.allOf(OptimizerRule.class), text(number));
    }

    private static String text(int number) {
        Path file = Path.of("src/test/resources/tpch/q%02d.sql".formatted(number));
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
