package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.operator.WorkContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A part of an aggregation's calls that is computed on its own, from the same rows, for the same
 * groups in the same order.
 *
 * <ul>
 *   <li>Calls whose state is small, whatever the group: by {@link Aggregation} alone.
 *   <li>Distinct ones: over the {@linkplain DistinctOperator first rows} of each combination of
 *       keys, filter and arguments. These have a row of every group.
 *   <li>Calls that need all of a group's values: each by {@link SortedCall}, over sorted rows.
 * </ul>
 *
 * @param input the columns that it reads
 * @param distinct whether only first rows count
 * @param sorted whether its one call is computed over sorted rows; else the keys come out before
 *     the calls
 * @param results of the calls, by their place in the operator's
 */
record Branch(CallInput input, boolean distinct, boolean sorted, List<Integer> results) {

    private static final long KEYED_BYTES = KeyedStream.FLOOR + KeyedStream.TURN;

    /** Of two sorts. */
    private static final long SORTED_BYTES = 2L << 20;

    /** What branches have in common. */
    private record Kind(
            boolean sorted, @Nullable Integer filter, List<Integer> distinct, int number) {}

    /** The branches of an operator; the first one has the keys. */
    static List<Branch> of(AggregateOperator operator) {
        Map<Kind, List<Integer>> kinds = new LinkedHashMap<>();
        for (int i = 0; i < operator.calls().size(); i++) {
            AggregateCall call = operator.calls().get(i);
            boolean sorted = isSorted(call.function());
            Kind kind =
                    new Kind(
                            sorted,
                            call.distinct() ? call.filter() : null,
                            call.distinct() ? call.arguments() : List.of(),
                            sorted ? i : -1);
            kinds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(i);
        }
        List<Branch> branches = new ArrayList<>();
        if (kinds.keySet().stream().allMatch(Kind::sorted)) {
            branches.add(new Branch(input(operator, List.of()), false, false, List.of()));
        }
        kinds.forEach(
                (kind, calls) -> {
                    Branch branch =
                            new Branch(
                                    input(operator, calls),
                                    !kind.distinct.isEmpty(),
                                    kind.sorted,
                                    calls);
                    boolean first = !kind.sorted && branches.stream().allMatch(Branch::sorted);
                    branches.add(first ? 0 : branches.size(), branch);
                });
        return branches;
    }

    private static CallInput input(AggregateOperator operator, List<Integer> calls) {
        return CallInput.of(
                operator.input(),
                operator.keys(),
                calls.stream().map(operator.calls()::get).toList());
    }

    private static boolean isSorted(AggregateFunction function) {
        return switch (function) {
            case ARRAY_AGG, PERCENTILE_CONT, PERCENTILE_DISC -> true;
            case COUNT,
                    COUNT_ROWS,
                    SUM,
                    AVG,
                    MIN,
                    MAX,
                    STDDEV_SAMP,
                    STDDEV_POP,
                    VAR_SAMP,
                    VAR_POP,
                    ANY_VALUE,
                    FIRST,
                    LAST,
                    BOOL_AND,
                    BOOL_OR,
                    APPROX_COUNT_DISTINCT,
                    SINGLE_VALUE ->
                    false;
        };
    }

    /**
     * The branch at work; takes over the rows.
     *
     * @param steps what puts a stream between two steps
     * @param keys the key columns that come out
     * @param calls the columns that come out of its calls
     */
    BatchStream over(
            BatchStream rows,
            List<ColumnSchema> keys,
            List<ColumnSchema> calls,
            UnaryOperator<BatchStream> steps,
            WorkContext context) {
        BatchStream counted =
                distinct
                        ? steps.apply(
                                new KeyedStream(
                                        new DistinctOperator.Work(input.schema(), distinctKeys()),
                                        rows,
                                        context))
                        : rows;
        if (sorted) {
            return SortedCall.over(
                    input.schema(),
                    input.keys(),
                    input.calls().getFirst(),
                    calls.getFirst(),
                    counted,
                    steps,
                    context);
        }
        List<ColumnSchema> columns = new ArrayList<>(keys);
        columns.addAll(calls);
        return new KeyedStream(
                new Aggregation(
                        input.schema(), input.keys(), input.calls(), new RowSchema(columns)),
                counted,
                context);
    }

    /** Memory that its steps hold at the same time, at least. */
    long bytes() {
        return (distinct ? KEYED_BYTES : 0) + (sorted ? SORTED_BYTES : KEYED_BYTES);
    }

    /** What rows are told apart by. */
    private List<Integer> distinctKeys() {
        AggregateCall call = input.calls().getFirst();
        List<Integer> keys = new ArrayList<>(input.keys());
        keys.addAll(call.arguments());
        if (call.filter() != null) {
            keys.add(Objects.requireNonNull(call.filter()));
        }
        return keys;
    }
}
