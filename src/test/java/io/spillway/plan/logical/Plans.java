package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.plan.physical.CompiledPlan;
import io.spillway.scan.FileMetadata;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Compiles plans over a few datasets, at one moment. */
final class Plans {

    static final MemoryCatalog CATALOG =
            new MemoryCatalog()
                    .with(
                            "t",
                            "id int64",
                            "i int32?",
                            "t8 int8?",
                            "price float64?",
                            "r float32?",
                            "city utf8?",
                            "ts timestamp(us)?",
                            "tz timestamp(ms,UTC)?",
                            "d date?",
                            "amount decimal(10,2)?",
                            "big decimal(38,10)?",
                            "b bool?",
                            "bin binary?",
                            "fixed binary(4)?",
                            "tm time(us)?",
                            "u8 uint8?",
                            "u64 uint64?",
                            "f16 float16?",
                            "value utf8?",
                            "odd name int32",
                            "A int32",
                            "a int32")
                    .with(
                            "nested",
                            List.of(
                                    new FileMetadata.UnreadableColumn("tags", "lists are not read"),
                                    new FileMetadata.UnreadableColumn("more", "maps are not read")),
                            "id int64",
                            "name utf8?")
                    .with(
                            "shapes",
                            List.of(),
                            new RowSchema(
                                    List.of(
                                            column("id", "int64", false),
                                            column("l", "list<int32>", true),
                                            column("l2", "list<int32>", true),
                                            column("wide", "list<int64>", true),
                                            column("s", "struct<x int32,\"odd, name\" utf8>", true),
                                            column(
                                                    "capital",
                                                    "struct<X int32,\"odd, name\" utf8>",
                                                    true),
                                            column("m", "map<utf8,list<struct<a date>>>", true),
                                            column("sure", "list<utf8 not null>", false),
                                            column("u8", "uint8", true))));

    private static ColumnSchema column(String name, String type, boolean nullable) {
        return new ColumnSchema(name, ColumnType.parse(type), nullable);
    }

    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2026-11-29T12:34:56.123456789Z"), ZoneOffset.UTC);

    private static final PlanRequestParser PARSER = new PlanRequestParser(PlanLimits.defaults());

    private Plans() {}

    static PlanCompiler compiler(Set<OptimizerRule> rules) {
        return compiler(CATALOG, rules);
    }

    private static PlanCompiler compiler(MemoryCatalog catalog, Set<OptimizerRule> rules) {
        return new PlanCompiler(catalog, PlanLimits.defaults(), CLOCK, rules);
    }

    /** A query over the datasets of a catalog. */
    static CompiledPlan query(MemoryCatalog catalog, Set<OptimizerRule> rules, String sql) {
        String body =
                "{\"plan\": {\"from\": {\"sql\": %s}}}".formatted(quote(sql).replace('`', '"'));
        return compiler(catalog, rules)
                .compile(PARSER.parse(body.getBytes(StandardCharsets.UTF_8)));
    }

    /** A plan over a dataset; steps as JSON with backquotes for double quotes. */
    static CompiledPlan compile(String dataset, String... steps) {
        return compile(EnumSet.allOf(OptimizerRule.class), dataset, steps);
    }

    static CompiledPlan compile(Set<OptimizerRule> rules, String dataset, String... steps) {
        return compileBody(
                rules,
                "{`plan`: {`from`: {`dataset`: `%s`}, `steps`: [%s]}}"
                        .formatted(dataset, String.join(", ", steps)));
    }

    static CompiledPlan compileBody(Set<OptimizerRule> rules, String body) {
        byte[] bytes = body.replace('`', '"').getBytes(StandardCharsets.UTF_8);
        return compiler(rules).compile(PARSER.parse(bytes));
    }

    static SpillwayException failure(String dataset, String... steps) {
        SpillwayException e =
                catchThrowableOfType(SpillwayException.class, () -> compile(dataset, steps));
        assertThat(e).as("a failure of " + String.join(", ", steps)).isNotNull();
        return e;
    }

    /** A filter by an expression in which no backquote stands. */
    static String filter(String where) {
        return "{`op`: `filter`, `where`: " + quote(where) + "}";
    }

    static String select(String... items) {
        return "{`op`: `select`, `columns`: ["
                + String.join(", ", List.of(items).stream().map(Plans::quote).toList())
                + "]}";
    }

    static String with(String name, String expression) {
        return "{`op`: `withColumns`, `columns`: {" + quote(name) + ": " + quote(expression) + "}}";
    }

    static String limit(long rows) {
        return "{`op`: `limit`, `rows`: " + rows + "}";
    }

    static String offset(long rows) {
        return "{`op`: `offset`, `rows`: " + rows + "}";
    }

    static String quote(String text) {
        return '`'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\`")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                + '`';
    }
}
