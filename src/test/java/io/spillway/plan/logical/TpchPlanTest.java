package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.physical.Explain;
import io.spillway.plan.physical.PhysicalPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TpchPlanTest {

    static final MemoryCatalog CATALOG =
            new MemoryCatalog()
                    .with(
                            "region",
                            "r_regionkey int32",
                            "r_name utf8",
                            "r_comment utf8")
                    .with(
                            "nation",
                            "n_nationkey int32",
                            "n_name utf8",
                            "n_regionkey int32",
                            "n_comment utf8")
                    .with(
                            "supplier",
                            "s_suppkey int64",
                            "s_name utf8",
                            "s_address utf8",
                            "s_nationkey int32",
                            "s_phone utf8",
                            "s_acctbal decimal(15,2)",
                            "s_comment utf8")
                    .with(
                            "part",
                            "p_partkey int64",
                            "p_name utf8",
                            "p_mfgr utf8",
                            "p_brand utf8",
                            "p_type utf8",
                            "p_size int32",
                            "p_container utf8",
                            "p_retailprice decimal(15,2)",
                            "p_comment utf8")
                    .with(
                            "partsupp",
                            "ps_partkey int64",
                            "ps_suppkey int64",
                            "ps_availqty int64",
                            "ps_supplycost decimal(15,2)",
                            "ps_comment utf8")
                    .with(
                            "customer",
                            "c_custkey int64",
                            "c_name utf8",
                            "c_address utf8",
                            "c_nationkey int32",
                            "c_phone utf8",
                            "c_acctbal decimal(15,2)",
                            "c_mktsegment utf8",
                            "c_comment utf8")
                    .with(
                            "orders",
                            "o_orderkey int64",
                            "o_custkey int64",
                            "o_orderstatus utf8",
                            "o_totalprice decimal(15,2)",
                            "o_orderdate date",
                            "o_orderpriority utf8",
                            "o_clerk utf8",
                            "o_shippriority int32",
                            "o_comment utf8")
                    .with(
                            "lineitem",
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

    @ParameterizedTest
    @MethodSource("numbers")
    void show(int n) {
        System.out.println("=== " + n + "\n" + Explain.text(plan(n)).lines().filter(l -> !l.strip().startsWith("file ")).map(l -> l.replaceFirst("Scan parquet.*", "Scan")).collect(java.util.stream.Collectors.joining("\n")));
    }

    static IntStream numbers() {
        return IntStream.rangeClosed(1, 22);
    }

    private static PhysicalPlan plan(int number) {
        return Plans.query(CATALOG, EnumSet.allOf(OptimizerRule.class), text(number)).plan();
    }

    private static String text(int number) {
        String name = "/tpch/q%02d.sql".formatted(number);
        try (InputStream in = TpchPlanTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
