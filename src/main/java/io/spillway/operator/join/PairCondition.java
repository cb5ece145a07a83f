package io.spillway.operator.join;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Gather;
import io.spillway.expression.Selection;
import io.spillway.expression.VectorPredicate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** The condition about pairs of rows: only the columns that it reads are put together. */
final class PairCondition implements AutoCloseable {

    private final JoinLayout layout;
    private final RightTable table;
    private final int leftOffset;
    private final PairBytes bytes;
    private final BufferAllocator allocator;
    private final VectorPredicate predicate;
    private @Nullable RecordBatch left;
    private int[] sourceOf = new int[0];
    private int[] rowOf = new int[0];

    PairCondition(
            JoinLayout layout,
            RightTable table,
            int leftOffset,
            PairBytes bytes,
            BufferAllocator allocator) {
        this.layout = layout;
        this.table = table;
        this.leftOffset = leftOffset;
        this.bytes = bytes;
        this.allocator = allocator;
        this.predicate =
                ExpressionCompiler.predicate(
                        Objects.requireNonNull(layout.condition()), layout.pairs());
    }

    /** Goes on to pairs of a left batch, which stays the caller's. */
    void begin(RecordBatch batch) {
        left = batch;
    }

    /**
     * Keeps the pairs about which the condition is true, at the arrays' beginnings.
     *
     * @return how many
     */
    int keep(int[] lefts, int[] rights, int count) {
        int kept = 0;
        int from = 0;
        while (from < count) {
            int part = bytes.fit(lefts, rights, from, count - from);
            try (RecordBatch pairs = pairs(lefts, rights, from, part)) {
                Selection passed = predicate.select(pairs, allocator);
                for (int i = 0; i < passed.count(); i++) {
                    lefts[kept] = lefts[from + passed.row(i)];
                    rights[kept++] = rights[from + passed.row(i)];
                }
            }
            from += part;
        }
        return kept;
    }

    private RecordBatch pairs(int[] lefts, int[] rights, int from, int count) {
        RecordBatch batch = Objects.requireNonNull(left);
        int[] rows = from == 0 ? lefts : Arrays.copyOfRange(lefts, from, from + count);
        List<ColumnVector> columns = new ArrayList<>(layout.pairs().size());
        try {
            for (int column : layout.pairLeft()) {
                columns.add(Gather.take(batch.column(column + leftOffset), rows, count, allocator));
            }
            if (!layout.pairRight().isEmpty()) {
                if (sourceOf.length < count) {
                    sourceOf = new int[count];
                    rowOf = new int[count];
                }
                table.rows().locate(rights, from, count, sourceOf, rowOf);
                try (RecordBatch right = table.pairs().gather(sourceOf, rowOf, count, allocator)) {
                    for (int i = 0; i < layout.pairRight().size(); i++) {
                        columns.add(right.column(i).slice(0, count));
                    }
                }
            }
            return new RecordBatch(layout.pairs(), columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    @Override
    public void close() {
        predicate.close();
    }
}
