package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.expression.Expression;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.FilterOperator;
import io.spillway.operator.Narrowed;
import io.spillway.operator.Operator;
import io.spillway.operator.TrueRows;
import io.spillway.scan.ScanFormat;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A part with the operators over it.
 *
 * @param operators the lowest one first
 */
record Chain(SourcePart part, List<Placed> operators) {

    /** Counts what {@link ScanFormat#test} says yes to. */
    private static final Operator TRUE_ONES = new TrueRows();

    /**
     * An operator in its place.
     *
     * @param firstRow number of the first row that goes into it; of no meaning above an operator
     *     that does not keep the row count
     */
    record Placed(Operator operator, long firstRow) {}

    Chain {
        operators = List.copyOf(operators);
    }

    /** Whether each row of the part comes out. */
    boolean keepsRowCount() {
        return operators.stream().allMatch(placed -> placed.operator().keepsRowCount());
    }

    /** The chain with one more operator. */
    Chain with(Operator operator, long firstRow) {
        List<Placed> all = new ArrayList<>(operators);
        all.add(new Placed(operator, firstRow));
        return new Chain(part, all);
    }

    /** What comes of rows {@code [from, to)} of the part. */
    Chain slice(long from, long to) {
        if (from == 0 && to == part.rows()) {
            return this;
        }
        List<Placed> moved =
                operators.stream()
                        .map(placed -> new Placed(placed.operator(), placed.firstRow() + from))
                        .toList();
        return new Chain(part.slice(from, to), moved);
    }

    /** The chain for a reader that waits for its first rows. */
    Chain soon() {
        return new Chain(part.soon(), operators);
    }

    /** The chain for somebody who wants only some of its columns. */
    Chain narrowed(ColumnSet wanted) {
        ColumnSet needed = wanted;
        List<Placed> narrow = new ArrayList<>();
        for (Placed placed : operators.reversed()) {
            Narrowed narrowed = placed.operator().narrowed(needed);
            for (Operator operator : narrowed.operators().reversed()) {
                narrow.add(new Placed(operator, placed.firstRow()));
            }
            needed = narrowed.reads();
        }
        return new Chain(part.narrowed(needed), narrow.reversed());
    }

    /**
     * A condition that is all that the lowest operator wants to know of the part's rows; null if
     * that is more, or not a condition.
     */
    @Nullable Expression test() {
        return !operators.isEmpty()
                        && operators.getFirst().operator() instanceof FilterOperator filter
                        && filter.schema().size() == 0
                ? filter.predicate()
                : null;
    }

    /** The chain over what became of {@link #test}, for each row. */
    Chain tested() {
        List<Placed> all = new ArrayList<>(operators);
        all.set(0, new Placed(TRUE_ONES, operators.getFirst().firstRow()));
        return new Chain(part, all);
    }

    /** The operators at work over rows of the part; takes over the stream. */
    BatchStream over(BatchStream rows, BufferAllocator allocator) {
        BatchStream stream = rows;
        try {
            for (Placed placed : operators) {
                stream = placed.operator().over(stream, placed.firstRow(), allocator);
            }
            return stream;
        } catch (Throwable t) {
            stream.close();
            throw t;
        }
    }
}
