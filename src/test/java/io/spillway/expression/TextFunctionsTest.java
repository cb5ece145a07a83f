package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.BOOL;
import static io.spillway.expression.ExpressionTesting.INT;
import static io.spillway.expression.ExpressionTesting.TEXT;
import static io.spillway.expression.ExpressionTesting.call;
import static io.spillway.expression.ExpressionTesting.column;
import static io.spillway.expression.ExpressionTesting.constant;
import static io.spillway.expression.ExpressionTesting.integer;
import static io.spillway.expression.ExpressionTesting.list;
import static io.spillway.expression.ExpressionTesting.over;
import static io.spillway.expression.ExpressionTesting.raises;
import static io.spillway.expression.ExpressionTesting.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextFunctionsTest {

    @ParameterizedTest
    @CsvSource({
        "hello, 2, , ello",
        "hello, 2, 3, ell",
        "hello, 0, 3, he",
        "hello, -2, 4, h",
        "hello, -2, 3, ''",
        "hello, 6, 1, ''",
        "hello, 2, 0, ''",
        "hello, 2, -1, ''",
        "hello, -2147483648, 2147483647, ''",
        "hello, 1, 2147483647, hello",
        "hello, 2147483647, 2147483647, ''",
        "a😀é€b, 2, 3, 😀é€",
        "abcdefghijklmnopqrstuvwxyzé, 20, 7, tuvwxyz"
    })
    void substringCountsCodePointsAsSqlDoes(
            String value, int from, Integer length, String expected) {
        Expression call =
                length == null
                        ? call(Function.SUBSTRING, TEXT, text(value), integer(from))
                        : call(
                                Function.SUBSTRING,
                                TEXT,
                                text(value),
                                integer(from),
                                integer(length));
        assertThat(constant(call)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', true",
        "'', %, true",
        "'', _, false",
        "abc, abc, true",
        "abc, abcd, false",
        "abc, a%, true",
        "abc, %c, true",
        "abc, %b%, true",
        "abc, a%c, true",
        "ac, a%c, true",
        "a, a%a, false",
        "aba, a%a, true",
        "abcabc, a%bc, true",
        "aab, %ab, true",
        "aaab, a%aab, true",
        "abab, ab%ab, true",
        "aba, ab%ba, false",
        "a😀b, a_b, true",
        "😀, _, true",
        "😀, __, false",
        "é😀, _%_, true",
        "x😀, %_, true",
        "mississippi, %iss%ip%, true",
        "mississippi, m_ss%s_p%i, true",
        "mississippi, %iss%iss%iss%, false",
        "a%b, a!%b, true",
        "axb, a!%b, false",
        "a_b, a!_b, true",
        "a!b, a!!b, true"
    })
    void likeMatches(String value, String pattern, boolean expected) {
        assertThat(constant(call(Function.LIKE, BOOL, text(value), text(pattern), text("!"))))
                .isEqualTo(Boolean.toString(expected));
    }

    @Test
    void likeNeverBacktracks() {
        String text = "a".repeat(20_000);
        String pattern = "%a".repeat(500) + "%b";
        assertThat(
                        assertTimeoutPreemptively(
                                Duration.ofSeconds(2),
                                () ->
                                        constant(
                                                call(
                                                        Function.LIKE,
                                                        BOOL,
                                                        text(text),
                                                        text(pattern)))))
                .isEqualTo("false");
    }

    @Test
    void malformedPatternsAreToldWhenTheExpressionIsCompiled() {
        raises(
                ErrorCode.INVALID_EXPRESSION,
                call(Function.LIKE, BOOL, text("a"), text("a!"), text("!")));
        raises(
                ErrorCode.INVALID_EXPRESSION,
                call(Function.LIKE, BOOL, text("a"), text("a"), text("ab")));
        raises(
                ErrorCode.INVALID_EXPRESSION,
                call(Function.LIKE, BOOL, text("a"), text("a"), text("")));
        assertThat(constant(call(Function.LIKE, BOOL, text("a"), text(null)))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "UPPER, straße 😀 ǆ, STRAßE 😀 Ǆ",
        "LOWER, ÀÉÎ ABC Σ, àéî abc σ",
        "UPPER, ı, I",
        "LOWER, K, k",
        "TRIM, '  a b  ', a b",
        "LTRIM, '  a ', 'a '",
        "RTRIM, '  a ', '  a'",
        "TRIM, '   ', ''"
    })
    void mapsAndTrims(Function function, String value, String expected) {
        assertThat(constant(call(function, TEXT, text(value)))).isEqualTo(expected);
    }

    @Test
    void trimLeavesTabsAndOtherSpaces() {
        assertThat(constant(call(Function.TRIM, TEXT, text(" \ta\u00a0 ")))).isEqualTo("\ta\u00a0");
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "abc, 3", "😀é, 2", "abcdefghé😀, 10", "abcdefgh, 8"})
    void lengthsCountCodePoints(String value, String expected) {
        assertThat(constant(call(Function.CHAR_LENGTH, INT, text(value)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"abc, b, 2", "é😀b, b, 3", "abc, '', 1", "abc, x, 0", "ab, abc, 0", "'', '', 1"})
    void positionsCountCodePoints(String value, String wanted, String expected) {
        assertThat(constant(call(Function.POSITION, INT, text(value), text(wanted))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "aaa, a, bb, bbbbbb",
        "aaa, aa, b, ba",
        "abc, '', x, abc",
        "abc, b, '', ac",
        "é😀é, é, e, e😀e"
    })
    void replaces(String value, String wanted, String by, String expected) {
        assertThat(constant(call(Function.REPLACE, TEXT, text(value), text(wanted), text(by))))
                .isEqualTo(expected);
    }

    @Test
    void concatenationWithNullIsNull() {
        Expression greet =
                call(Function.CONCAT, TEXT, text("<"), column(0, TEXT), column(0, TEXT), text(">"));
        assertThat(over(TEXT, list("a", null, "", "😀"), greet))
                .isEqualTo(list("<aa>", null, "<>", "<😀😀>"));
    }

    @Test
    void textThatIsNotUtf8StaysAsItIsAndLeadsNowhere() {
        try (BufferAllocator allocator = new RootAllocator()) {
            // Stray continuation bytes, a cut sequence, an overlong one, a surrogate.
            String hex = "80bf61e282c080eda08062f0";
            ColumnType binary = new ColumnType.Binary();
            try (ColumnVector bytes = TestValues.plain(binary, List.of(hex), allocator);
                    RecordBatch batch =
                            new RecordBatch(
                                    TestValues.schema(TEXT),
                                    List.of(asText(bytes, allocator)),
                                    1)) {
                for (Expression e :
                        List.of(
                                call(Function.UPPER, TEXT, column(0, TEXT)),
                                call(Function.CONCAT, TEXT, column(0, TEXT), text("")),
                                call(Function.SUBSTRING, TEXT, column(0, TEXT), integer(1)))) {
                    try (VectorExpression compiled = ExpressionCompiler.compile(e, batch.schema());
                            ColumnVector result = compiled.evaluate(batch, allocator)) {
                        byte[] found = ((VarCharVector) TestValues.vector(result)).get(0);
                        String upper = hex.replace("61", "41").replace("62", "42");
                        assertThat(HexFormat.of().formatHex(found)).isIn(hex, upper);
                    }
                }
            }
        }
    }

    private static ColumnVector asText(ColumnVector bytes, BufferAllocator allocator) {
        var from = TestValues.vector(bytes);
        var to = new VarCharVector("text", allocator);
        to.setSafe(0, ((VarBinaryVector) from).get(0));
        to.setValueCount(1);
        return new ColumnVector.Plain(to);
    }
}
