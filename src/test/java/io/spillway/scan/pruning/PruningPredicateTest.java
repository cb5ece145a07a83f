package io.spillway.scan.pruning;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Call;
import io.spillway.expression.Expression.Cast;
import io.spillway.expression.Expression.Column;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Function;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a condition is said not to be, it is not, for any row that the facts allow. */
class PruningPredicateTest {

    private static final ColumnType INT = new ColumnType.Int(32, true);
    private static final ColumnType LONG = new ColumnType.Int(64, true);
    private static final ColumnType DOUBLE = new ColumnType.FloatingPoint(64);
    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final ColumnType BOOL = new ColumnType.Bool();

    @Property(tries = 400)
    void neverSaysNoWhereARowSaysYes(@ForAll long seed) {
        check(new Random(seed));
    }

    @Property(tries = 30_000)
    @Tag("long")
    void neverSaysNoWhereARowSaysYesAtLength(@ForAll long seed) {
        check(new Random(seed));
    }

    private static void check(Random random) {
        RandomConditions conditions = new RandomConditions(random);
        List<List<Literal>> rows = new ArrayList<>();
        for (int i = random.nextInt(4) + 1; i > 0; i--) {
            rows.add(conditions.row());
        }
        Expression condition = conditions.condition(random.nextInt(4));
        List<ValueSet> facts = new ArrayList<>();
        for (int c = 0; c < RandomConditions.COLUMNS.size(); c++) {
            facts.add(facts(c, rows, random));
        }

        Truths truths = PruningPredicate.of(condition).truths(facts::get);

        for (List<Literal> row : rows) {
            String context = condition + " over " + row + " with " + facts;
            @Nullable String value;
            try {
                value = ExpressionCompiler.constant(substitute(condition, row)).value();
            } catch (SpillwayException e) {
                assertThat(truths.mayFail()).as(context).isTrue();
                continue;
            }
            if (value == null) {
                assertThat(truths.mayBeNull()).as(context).isTrue();
            } else if (value.equals("true")) {
                assertThat(truths.mayBeTrue()).as(context).isTrue();
            } else {
                assertThat(truths.mayBeFalse()).as(context).isTrue();
            }
        }
    }

    /** True facts of a column, more or less exact, as statistics, indexes and dictionaries are. */
    private static ValueSet facts(int column, List<List<Literal>> rows, Random random) {
        Set<Scalar> values = new HashSet<>();
        boolean nulls = false;
        for (List<Literal> row : rows) {
            Scalar value = Scalar.of(row.get(column));
            nulls |= value == null;
            if (value != null) {
                values.add(value);
            }
        }
        boolean mayBeNull = nulls || random.nextInt(4) == 0;
        if (values.isEmpty()) {
            return random.nextBoolean() ? ValueSet.nulls() : ValueSet.anything();
        }
        ValueSet set =
                switch (random.nextInt(4)) {
                    case 0 -> ValueSet.anything();
                    case 1 -> ValueSet.of(values, mayBeNull);
                    default -> bounds(values, mayBeNull, random);
                };
        return random.nextInt(3) == 0 ? set.knowing(values::contains) : set;
    }

    private static ValueSet bounds(Set<Scalar> values, boolean mayBeNull, Random random) {
        boolean nan = values.removeIf(v -> v instanceof Scalar.Real real && real.isNaN());
        Scalar low = values.stream().min(Scalar::compareTo).orElse(null);
        Scalar high = values.stream().max(Scalar::compareTo).orElse(null);
        if (nan) {
            values.add(new Scalar.Real(Double.NaN));
        }
        if (low instanceof Scalar.Bytes(byte[] bytes) && bytes.length > 0 && random.nextBoolean()) {
            low = new Scalar.Bytes(Arrays.copyOf(bytes, bytes.length - 1));
        }
        ValueSet set =
                ValueSet.between(
                        random.nextInt(5) == 0 ? null : low,
                        random.nextInt(5) == 0 ? null : high,
                        mayBeNull);
        boolean floats = values.iterator().next() instanceof Scalar.Real;
        return nan || (floats && random.nextBoolean()) ? set.orNaN() : set;
    }

    /** The expression with a row's values in place of columns. */
    private static Expression substitute(Expression e, List<Literal> row) {
        return switch (e) {
            case Column column -> row.get(column.index());
            case Literal literal -> literal;
            case Call(var function, var arguments, var type) ->
                    new Call(
                            function,
                            arguments.stream().map(a -> substitute(a, row)).toList(),
                            type);
            case Cast(var argument, var type, boolean safe) ->
                    new Cast(substitute(argument, row), type, safe);
            case Expression.Case(var branches, var otherwise, var type) ->
                    new Expression.Case(
                            branches.stream()
                                    .map(
                                            b ->
                                                    new Expression.Branch(
                                                            substitute(b.when(), row),
                                                            substitute(b.then(), row)))
                                    .toList(),
                            substitute(otherwise, row),
                            type);
            case Expression.In(var argument, var values) ->
                    new Expression.In(substitute(argument, row), values);
        };
    }

    private static boolean canMatch(Expression condition, ValueSet column) {
        return PruningPredicate.of(condition).canMatch(_ -> column);
    }

    private static Expression call(Function function, Expression... arguments) {
        return new Call(function, List.of(arguments), BOOL);
    }

    private static ValueSet ints(long low, long high) {
        return ValueSet.between(new Scalar.Whole(low), new Scalar.Whole(high), false);
    }

    private static Literal number(int value) {
        return new Literal(INT, Integer.toString(value));
    }

    private static final Expression I = new Column(0, INT);
    private static final Expression D = new Column(0, DOUBLE);
    private static final Expression S = new Column(0, TEXT);

    @Test
    void boundsRuleComparisonsOut() {
        assertThat(canMatch(call(Function.EQUAL, I, number(9)), ints(1, 8))).isFalse();
        assertThat(canMatch(call(Function.EQUAL, I, number(8)), ints(1, 8))).isTrue();
        assertThat(canMatch(call(Function.GREATER, I, number(8)), ints(1, 8))).isFalse();
        assertThat(canMatch(call(Function.LESS, number(8), I), ints(1, 8))).isFalse();
        assertThat(canMatch(call(Function.GREATER_OR_EQUAL, I, number(8)), ints(1, 8))).isTrue();
        assertThat(canMatch(call(Function.NOT_EQUAL, I, number(5)), ints(5, 5))).isFalse();
        assertThat(canMatch(call(Function.IS_NULL, I), ints(1, 8))).isFalse();
        assertThat(canMatch(call(Function.IS_NOT_NULL, I), ValueSet.nulls())).isFalse();
        assertThat(canMatch(new Expression.In(I, List.of(number(0), number(9))), ints(1, 8)))
                .isFalse();
    }

    @Test
    void nanIsTheGreatestNumberAndOutsideOfBounds() {
        ValueSet set = ValueSet.between(new Scalar.Real(7.25), new Scalar.Real(7.25), true).orNaN();
        Literal same = new Literal(DOUBLE, "7.25");
        Expression equal = call(Function.EQUAL, D, same);
        assertThat(canMatch(call(Function.NOT_EQUAL, D, same), set)).isTrue();
        assertThat(canMatch(call(Function.NOT, equal), set)).isTrue();
        assertThat(canMatch(call(Function.GREATER, D, new Literal(DOUBLE, "100")), set)).isTrue();
        assertThat(canMatch(call(Function.EQUAL, D, new Literal(DOUBLE, "100")), set)).isFalse();
        assertThat(canMatch(call(Function.LESS, D, same), set)).isFalse();
        assertThat(canMatch(call(Function.EQUAL, D, new Literal(DOUBLE, "NaN")), set)).isTrue();
    }

    @Test
    void zeroHasNoSign() {
        ValueSet zero = ValueSet.between(new Scalar.Real(0.0), new Scalar.Real(0.0), false);
        assertThat(canMatch(call(Function.EQUAL, D, new Literal(DOUBLE, "-0.0")), zero)).isTrue();
        assertThat(canMatch(call(Function.LESS, D, new Literal(DOUBLE, "0.0")), zero)).isFalse();
    }

    @Test
    void prefixesOfPatternsAreBounds() {
        ValueSet texts =
                ValueSet.between(
                        Scalar.of(new Literal(TEXT, "app")),
                        Scalar.of(new Literal(TEXT, "apple")),
                        false);
        Expression b = call(Function.LIKE, S, new Literal(TEXT, "b%"));
        Expression appl = call(Function.LIKE, S, new Literal(TEXT, "appl%x"));
        Expression ap = call(Function.LIKE, S, new Literal(TEXT, "ap%"));
        assertThat(canMatch(b, texts)).isFalse();
        assertThat(canMatch(appl, texts)).isTrue();
        assertThat(canMatch(call(Function.NOT, ap), texts)).isFalse();
        assertThat(canMatch(call(Function.NOT, appl), texts)).isTrue();
    }

    @Test
    void wideningCastsKeepBoundsAndMembers() {
        Expression wide = new Cast(I, LONG, false);
        Expression nine = call(Function.EQUAL, wide, new Literal(LONG, "9"));
        assertThat(canMatch(nine, ints(1, 8))).isFalse();
        assertThat(canMatch(nine, ints(1, 10))).isTrue();
        Scalar missing = new Scalar.Whole(9);
        assertThat(canMatch(nine, ints(1, 10).knowing(v -> !v.equals(missing)))).isFalse();
    }

    @Test
    void anErrorThatARowWouldRaiseIsNotPrunedAway() {
        Expression never = call(Function.EQUAL, I, number(9));
        Expression division =
                call(
                        Function.EQUAL,
                        new Call(Function.DIVIDE, List.of(number(1), I), INT),
                        number(1));
        assertThat(canMatch(call(Function.AND, division, never), ints(0, 1))).isTrue();
        // Behind what is always false nothing is computed, and nothing fails.
        assertThat(canMatch(call(Function.AND, never, division), ints(0, 1))).isFalse();
        // A null leaves the AND open.
        ValueSet nulls = ValueSet.between(new Scalar.Whole(0), new Scalar.Whole(1), true);
        assertThat(canMatch(call(Function.AND, never, division), nulls)).isTrue();
    }

    @Test
    void contradictingBoundsSayNothing() {
        assertThat(canMatch(call(Function.EQUAL, I, number(5)), ints(8, 1))).isTrue();
    }

    @Test
    void deepConditionsMayBeAnything() {
        Expression deep = call(Function.EQUAL, I, number(9));
        for (int i = 0; i < 1_000; i++) {
            deep = call(Function.NOT, deep);
        }
        assertThat(canMatch(deep, ints(1, 8))).isTrue();
    }
}
