package io.spillway.operator.join;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the columns of a join stand. Immutable.
 *
 * @param rightKept positions of the right input's columns that are kept: all that come out, or what
 *     it takes to decide
 * @param leftKeys positions of the keys in the left input
 * @param rightKeys positions of the keys among the columns kept
 * @param keys the key columns as both sides have them: those that are not null-safe are never null,
 *     since rows with such nulls are put aside first
 * @param strict which keys are not null-safe
 * @param pairLeft positions of the left columns that the condition reads
 * @param pairRight positions, among the columns kept, of the right columns that it reads
 * @param pairs the columns that it reads
 * @param condition over these; null if there is none
 * @param schema the columns that come out
 * @param outRight those that come from the right
 */
record JoinLayout(
        JoinType type,
        RowSchema left,
        RowSchema right,
        List<Integer> rightKept,
        List<Integer> leftKeys,
        List<Integer> rightKeys,
        RowSchema keys,
        List<Integer> strict,
        List<Integer> pairLeft,
        List<Integer> pairRight,
        RowSchema pairs,
        @Nullable Expression condition,
        RowSchema schema,
        RowSchema outRight) {

    static JoinLayout of(JoinOperator join) {
        int width = join.left().size();
        TreeSet<Integer> read = new TreeSet<>();
        Expression condition = join.condition();
        if (condition != null) {
            condition.withColumns(
                    column -> {
                        read.add(column.index());
                        return column;
                    });
        }
        List<Integer> all = IntStream.range(0, join.right().size()).boxed().toList();
        List<Integer> kept = join.type().hasRight() ? all : needed(join, read);
        List<Integer> readInOrder = List.copyOf(read);
        List<JoinKey> keys = join.keys();
        List<ColumnSchema> pairs = new ArrayList<>();
        for (int column : read) {
            pairs.add(
                    column < width
                            ? join.left().column(column)
                            : join.right().column(column - width));
        }
        return new JoinLayout(
                join.type(),
                join.left(),
                select(join.right(), kept),
                kept,
                keys.stream().map(JoinKey::left).toList(),
                keys.stream().map(key -> kept.indexOf(key.right())).toList(),
                keySchema(join),
                IntStream.range(0, keys.size())
                        .filter(i -> !keys.get(i).nullSafe())
                        .boxed()
                        .toList(),
                read.stream().filter(column -> column < width).toList(),
                read.stream()
                        .filter(column -> column >= width)
                        .map(column -> kept.indexOf(column - width))
                        .toList(),
                unique(pairs),
                condition == null
                        ? null
                        : condition.withColumns(
                                column ->
                                        new Expression.Column(
                                                readInOrder.indexOf(column.index()),
                                                column.type())),
                join.schema(),
                new RowSchema(join.schema().columns().subList(width, join.schema().size())));
    }

    /** Right columns that are keys or that the condition reads. */
    private static List<Integer> needed(JoinOperator join, TreeSet<Integer> read) {
        TreeSet<Integer> needed = new TreeSet<>();
        join.keys().forEach(key -> needed.add(key.right()));
        for (int column : read.tailSet(join.left().size())) {
            needed.add(column - join.left().size());
        }
        return List.copyOf(needed);
    }

    private static RowSchema keySchema(JoinOperator join) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (JoinKey key : join.keys()) {
            ColumnSchema left = join.left().column(key.left());
            ColumnSchema right = join.right().column(key.right());
            columns.add(
                    new ColumnSchema(
                            left.name(),
                            left.type(),
                            key.nullSafe() && (left.nullable() || right.nullable())));
        }
        return unique(columns);
    }

    /** Columns of both sides may have one name. */
    private static RowSchema unique(List<ColumnSchema> columns) {
        List<ColumnSchema> named = new ArrayList<>();
        for (ColumnSchema column : columns) {
            named.add(
                    new ColumnSchema(
                            named.size() + " " + column.name(), column.type(), column.nullable()));
        }
        return new RowSchema(named);
    }

    static RowSchema select(RowSchema schema, List<Integer> columns) {
        return new RowSchema(columns.stream().map(schema::column).toList());
    }

    /** Positions of the left columns that decide what matches, ascending. */
    List<Integer> deciding() {
        TreeSet<Integer> read = new TreeSet<>(leftKeys);
        read.addAll(pairLeft);
        return List.copyOf(read);
    }

    /** The same join of left rows that have no columns but those {@link #deciding}. */
    JoinLayout narrow() {
        List<Integer> read = deciding();
        return new JoinLayout(
                type,
                select(left, read),
                right,
                rightKept,
                leftKeys.stream().map(read::indexOf).toList(),
                rightKeys,
                keys,
                strict,
                pairLeft.stream().map(read::indexOf).toList(),
                pairRight,
                pairs,
                condition,
                schema,
                outRight);
    }

    /** The columns of a right batch that are kept; takes it over. */
    RecordBatch kept(RecordBatch batch) {
        if (rightKept.size() == batch.schema().size()) {
            return batch;
        }
        try (batch) {
            return lend(batch, rightKept, 0, right).slice(0, batch.rowCount());
        }
    }

    /**
     * Some columns of a batch, lent: the batch is not to be closed, and good for as long as the one
     * that it is of.
     *
     * @param offset what is added to each position
     */
    static RecordBatch lend(
            RecordBatch batch, List<Integer> columns, int offset, RowSchema schema) {
        return new RecordBatch(
                schema,
                columns.stream().map(column -> batch.column(column + offset)).toList(),
                batch.rowCount());
    }
}
