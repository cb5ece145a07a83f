package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.document.PlanLimits;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.junit.jupiter.api.Test;

class BoundedExpressionTest {

    private static BoundedExpression bounded(String text) {
        return BoundedExpression.of(ExpressionTokens.of(text), text, PlanLimits.defaults());
    }

    /** Long chains of long and short terms, with BETWEEN, CASE, brackets and texts among them. */
    @Provide
    Arbitrary<String> chains() {
        Arbitrary<String> term =
                Arbitraries.of(
                        "a",
                        "NOT b",
                        "c = 1",
                        "x BETWEEN 1 AND 2",
                        "x NOT BETWEEN (y BETWEEN 1 AND 2) AND 3",
                        "a IS DISTINCT FROM b",
                        "CASE WHEN a OR b THEN c AND a ELSE b END",
                        "(a OR b AND c)",
                        "f(a OR b, c AND d)",
                        "s = 'x OR y AND ('",
                        "\"odd OR name\" = 1",
                        "CAST(a OR b AS BOOLEAN)",
                        "a /* OR ( */ AND b -- AND (\n");
        return Arbitraries.integers()
                .between(1, 120)
                .flatMap(
                        n ->
                                Combinators.combine(
                                                term.list().ofSize(n),
                                                Arbitraries.of(" OR ", " AND ", " and ", "\nor\t")
                                                        .list()
                                                        .ofSize(n))
                                        .as(
                                                (terms, operators) ->
                                                        IntStream.range(0, n)
                                                                .mapToObj(
                                                                        i ->
                                                                                (i == 0
                                                                                                ? ""
                                                                                                : operators
                                                                                                        .get(
                                                                                                                i))
                                                                                        + terms.get(
                                                                                                i))
                                                                .collect(Collectors.joining())));
    }

    @Property(tries = 300)
    void groupingChangesNothing(@ForAll("chains") String text) throws SqlParseException {
        BoundedExpression bounded = bounded(text);
        assertThat(flat(parse(bounded.rewritten()))).isEqualTo(flat(parse(text)));
    }

    @Property(tries = 300)
    void positionsLeadBack(@ForAll("chains") String text) {
        BoundedExpression bounded = bounded(text);
        String rewritten = bounded.rewritten();
        int last = 0;
        for (int i = 0; i < rewritten.length(); i++) {
            int original = bounded.original(i);
            assertThat(original).isGreaterThanOrEqualTo(last);
            last = original;
            if (rewritten.charAt(i) != '(' && rewritten.charAt(i) != ')') {
                assertThat(text.charAt(original)).isEqualTo(rewritten.charAt(i));
            }
        }
    }

    @Test
    void shortTextsStayAsTheyAre() {
        String text = "a OR b AND c OR NOT (d OR e)";
        assertThat(bounded(text).rewritten()).isEqualTo(text);
        assertThat(bounded(text).nodes()).isEqualTo(11);
    }

    @Test
    void aLongChainBecomesAShallowTree() throws SqlParseException {
        String text =
                IntStream.range(0, 5_000)
                        .mapToObj(i -> "a = " + i)
                        .collect(Collectors.joining(" OR "));
        assertThat(depth(parse(bounded(text).rewritten()))).isLessThan(70);
    }

    private static SqlNode parse(String text) throws SqlParseException {
        return SqlParser.create(
                        text, SqlParser.config().withConformance(SqlConformanceEnum.LENIENT))
                .parseExpression();
    }

    /** The tree as text, with chains of one operator as one list. */
    private static String flat(SqlNode node) {
        if (!(node instanceof SqlCall call)) {
            return String.valueOf(node);
        }
        boolean chain = call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR;
        List<String> operands =
                chain
                        ? terms(call, call.getKind())
                        : call.getOperandList().stream().map(BoundedExpressionTest::flat).toList();
        return call.getOperator().getName() + operands;
    }

    private static List<String> terms(SqlNode node, SqlKind kind) {
        return node.getKind() == kind
                ? ((SqlCall) node)
                        .getOperandList().stream().flatMap(o -> terms(o, kind).stream()).toList()
                : List.of(flat(node));
    }

    private static int depth(SqlNode node) {
        return node instanceof SqlCall call
                ? 1
                        + call.getOperandList().stream()
                                .mapToInt(BoundedExpressionTest::depth)
                                .max()
                                .orElse(0)
                : 1;
    }
}
