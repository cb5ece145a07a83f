package io.spillway.plan.physical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.scan.ScanFile;
import io.spillway.storage.FileStatus;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class PhysicalPlansTest {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    @Provide
    Arbitrary<PhysicalPlan> plans() {
        return plan(3);
    }

    private Arbitrary<PhysicalPlan> plan(int depth) {
        Arbitrary<PhysicalPlan> leaf = Arbitraries.oneOf(scan(), values());
        if (depth == 0) {
            return leaf;
        }
        Arbitrary<PhysicalPlan> input = plan(depth - 1);
        Arbitrary<Expression> expression = expression(2);
        return Arbitraries.oneOf(
                leaf,
                Combinators.combine(input, expression).as(PhysicalPlan.Filter::new),
                Combinators.combine(input, expression.list().ofMaxSize(3), schema())
                        .as(PhysicalPlan.Project::new),
                Combinators.combine(
                                input,
                                Arbitraries.longs().greaterOrEqual(0),
                                Arbitraries.longs().greaterOrEqual(0))
                        .as(PhysicalPlan.Limit::new),
                Combinators.combine(input.list().ofMinSize(1).ofMaxSize(3), schema())
                        .as(PhysicalPlan.Union::new),
                rowSteps(input));
    }

    private Arbitrary<PhysicalPlan> rowSteps(Arbitrary<PhysicalPlan> input) {
        return Arbitraries.oneOf(
                Combinators.combine(
                                input,
                                Arbitraries.integers(),
                                Arbitraries.of(true, false),
                                schema())
                        .as(PhysicalPlan.Explode::new),
                Combinators.combine(input, Arbitraries.doubles().between(0, 1), Arbitraries.longs())
                        .as(PhysicalPlan.SampleFraction::new),
                Combinators.combine(input, Arbitraries.longs(), Arbitraries.longs())
                        .as(PhysicalPlan.SampleRows::new),
                Combinators.combine(input, Arbitraries.longs(), schema())
                        .as(PhysicalPlan.RowNumbers::new),
                Combinators.combine(input, Arbitraries.integers(), Arbitraries.longs())
                        .as(PhysicalPlan.Repartition::new));
    }

    private Arbitrary<PhysicalPlan> scan() {
        Arbitrary<FileStatus> status =
                Combinators.combine(
                                Arbitraries.strings(),
                                Arbitraries.longs(),
                                Arbitraries.longs(),
                                Arbitraries.strings().injectNull(0.3))
                        .as(FileStatus::new);
        Arbitrary<ScanFile> file =
                Combinators.combine(status, Arbitraries.longs().list().ofMaxSize(3))
                        .as(ScanFile::new);
        return Combinators.combine(Arbitraries.strings(), file.list().ofMaxSize(3), schema())
                .as(PhysicalPlan.Scan::new);
    }

    private Arbitrary<PhysicalPlan> values() {
        return Combinators.combine(schema(), literal().list().ofMaxSize(3).list().ofMaxSize(3))
                .as(PhysicalPlan.Values::new);
    }

    private Arbitrary<RowSchema> schema() {
        return Combinators.combine(Arbitraries.strings(), type(), Arbitraries.of(true, false))
                .as(ColumnSchema::new)
                .list()
                .ofMaxSize(3)
                .map(RowSchema::new);
    }

    private Arbitrary<ColumnType> type() {
        return Arbitraries.of(
                        "bool",
                        "int8",
                        "uint64",
                        "float16",
                        "float64",
                        "decimal(38,10)",
                        "utf8",
                        "binary",
                        "binary(16)",
                        "date",
                        "time(us)",
                        "timestamp(ns)",
                        "timestamp(ms,UTC)",
                        "list<int32 not null>",
                        "map<utf8,list<struct<a date>>>",
                        "struct<\"odd, \"\"name\"\"\n"
                                + ">\" utf8 not null,\"é😀\\\" list<struct<>>,\"\" bool>")
                .map(ColumnType::parse);
    }

    private Arbitrary<Expression.Literal> literal() {
        return Combinators.combine(type(), Arbitraries.strings().injectNull(0.2))
                .as(Expression.Literal::new);
    }

    private Arbitrary<Expression> expression(int depth) {
        Arbitrary<Expression> leaf =
                Arbitraries.oneOf(
                        literal().map(l -> l),
                        Combinators.combine(Arbitraries.integers(), type())
                                .as(Expression.Column::new));
        if (depth == 0) {
            return leaf;
        }
        return Arbitraries.oneOf(
                leaf,
                Combinators.combine(
                                Arbitraries.of(Function.class),
                                expression(depth - 1).list().ofMaxSize(3),
                                type())
                        .as(Expression.Call::new),
                Combinators.combine(expression(depth - 1), type(), Arbitraries.of(true, false))
                        .as(Expression.Cast::new),
                Combinators.combine(
                                Combinators.combine(expression(depth - 1), expression(depth - 1))
                                        .as(Expression.Branch::new)
                                        .list()
                                        .ofMaxSize(2),
                                expression(depth - 1),
                                type())
                        .as(Expression.Case::new),
                Combinators.combine(expression(depth - 1), literal().list().ofMaxSize(3))
                        .as(Expression.In::new));
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
    void readingGivesBackWhatWasWritten(@ForAll("plans") PhysicalPlan plan) {
        String json = PhysicalPlans.toJson(plan);
        assertThat(PhysicalPlans.fromJson(json)).isEqualTo(plan);
        assertThat(PhysicalPlans.toJson(PhysicalPlans.fromJson(json))).isEqualTo(json);
    }

    @Test
    void theFormIsStable() {
        PhysicalPlan plan =
                new PhysicalPlan.Filter(
                        new PhysicalPlan.Scan(
                                "parquet",
                                List.of(
                                        new ScanFile(
                                                new FileStatus("file:///x", 1, 2, null),
                                                List.of(3L))),
                                new RowSchema(List.of(new ColumnSchema("id", INT64, false)))),
                        new Expression.Call(
                                Function.GREATER,
                                List.of(
                                        new Expression.Column(0, INT64),
                                        new Expression.Literal(INT64, "5")),
                                new ColumnType.Bool()));
        assertThat(PhysicalPlans.toJson(plan))
                .isEqualTo(
                        """
                        {"op":"filter","input":{"op":"scan","format":"parquet","files":[{"status":\
                        {"uri":"file:///x","size":1,"modifiedMillis":2},"partitionRows":[3]}],\
                        "schema":{"columns":[{"name":"id","type":"int64","nullable":false}]}},\
                        "predicate":{"kind":"call","function":"GREATER","arguments":[\
                        {"kind":"column","index":0,"type":"int64"},\
                        {"kind":"literal","type":"int64","value":"5"}],"type":"bool"}}\
                        """);
    }

    @Test
    void refusesWhatItDidNotWrite() {
        assertThatThrownBy(() -> PhysicalPlans.fromJson("{\"op\":\"limit\",\"extra\":1}"))
                .isInstanceOf(JacksonException.class);
        assertThatThrownBy(() -> PhysicalPlans.fromJson("{\"op\":\"teleport\"}"))
                .isInstanceOf(JacksonException.class);
    }
}
