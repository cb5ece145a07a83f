package io.spillway.plan.logical;

import io.spillway.batch.RowSchema;
import io.spillway.operator.aggregate.AggregateCall;
import io.spillway.operator.window.WindowCall;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.util.ImmutableBitSet;

/** {@link ColumnPruning} for operators that add columns of their own or put two rows together. */
final class CallPruning {

    private CallPruning() {}

    /** Keys stay, since they tell groups apart; calls that nobody asks for go. */
    static Pruned aggregate(AggregateNode node, ImmutableBitSet needed) {
        int keys = node.keys().size();
        List<String> names = new ArrayList<>(node.getRowType().getFieldNames().subList(0, keys));
        List<AggregateCall> calls = new ArrayList<>();
        ImmutableBitSet used = ImmutableBitSet.of(node.keys());
        for (int i = 0; i < node.calls().size(); i++) {
            if (needed.get(keys + i)) {
                AggregateCall call = node.calls().get(i);
                Integer filter = call.filter();
                calls.add(call);
                names.add(node.getRowType().getFieldNames().get(keys + i));
                used =
                        used.union(ImmutableBitSet.of(call.arguments()))
                                .union(Pruned.columns(call.order()));
                used = filter == null ? used : used.set(filter);
            }
        }
        ImmutableBitSet kept = needed.union(ImmutableBitSet.range(keys));
        if (keys == 0 && calls.isEmpty()) {
            RowSchema none = new RowSchema(List.of());
            return new Pruned(
                    LiteralRows.create(node.getCluster(), none, List.of(List.of())), kept);
        }
        Pruned input = ColumnPruning.prune(node.getInput(), used);
        if (calls.isEmpty()) {
            return new Pruned(
                    DistinctNode.ofRows(Algebra.pick(input.node(), input.moved(node.keys()))),
                    kept);
        }
        return new Pruned(
                AggregateNode.create(
                        input.node(),
                        input.moved(node.keys()),
                        calls.stream().map(c -> moved(c, input)).toList(),
                        names),
                kept);
    }

    private static AggregateCall moved(AggregateCall call, Pruned input) {
        Integer filter = call.filter();
        return new AggregateCall(
                call.function(),
                input.moved(call.arguments()),
                call.distinct(),
                filter == null ? null : input.position(filter),
                input.movedKeys(call.order()),
                call.parameters(),
                call.type());
    }

    /** Without a call that somebody asks for the rows are the input's. */
    static Pruned window(WindowNode node, ImmutableBitSet needed) {
        int width = node.getInput().getRowType().getFieldCount();
        ImmutableBitSet used = needed.intersect(ImmutableBitSet.range(width));
        List<String> names = new ArrayList<>();
        List<WindowCall> calls = new ArrayList<>();
        ImmutableBitSet added = ImmutableBitSet.of();
        for (int i = 0; i < node.calls().size(); i++) {
            if (needed.get(width + i)) {
                calls.add(node.calls().get(i));
                names.add(node.names().get(i));
                added = added.set(width + i);
                used = used.union(ImmutableBitSet.of(node.calls().get(i).arguments()));
            }
        }
        if (calls.isEmpty()) {
            return ColumnPruning.prune(node.getInput(), used);
        }
        Pruned input =
                ColumnPruning.prune(
                        node.getInput(),
                        used.union(ImmutableBitSet.of(node.partition()))
                                .union(Pruned.columns(node.order())));
        return new Pruned(
                WindowNode.create(
                        input.node(),
                        input.moved(node.partition()),
                        input.movedKeys(node.order()),
                        calls.stream()
                                .map(
                                        c ->
                                                new WindowCall(
                                                        c.function(),
                                                        input.moved(c.arguments()),
                                                        c.frame(),
                                                        c.parameters(),
                                                        c.type()))
                                .toList(),
                        names),
                input.kept().union(added));
    }

    /** Each side keeps what is asked for and what the condition is about. */
    static Pruned join(JoinNode node, ImmutableBitSet needed) {
        int width = node.leftColumns();
        ImmutableBitSet used = needed.union(RelOptUtil.InputFinder.bits(node.condition()));
        Pruned left =
                ColumnPruning.prune(node.getLeft(), used.intersect(ImmutableBitSet.range(width)));
        ImmutableBitSet ofRight = used.except(ImmutableBitSet.range(width)).shift(-width);
        Pruned right = ColumnPruning.prune(node.getRight(), ofRight);
        JoinNode pairs = JoinNode.create(left.node(), right.node(), node.type(), node.condition());
        RexNode condition =
                node.condition()
                        .accept(
                                new RexShuttle() {
                                    @Override
                                    public RexNode visitInputRef(RexInputRef reference) {
                                        int old = reference.getIndex();
                                        int position =
                                                old < width
                                                        ? left.position(old)
                                                        : pairs.leftColumns()
                                                                + right.position(old - width);
                                        return RexInputRef.of(position, pairs.pairs());
                                    }
                                });
        RelNode join = JoinNode.create(left.node(), right.node(), node.type(), condition);
        return new Pruned(
                join,
                node.type().hasRight()
                        ? left.kept().union(right.kept().shift(width))
                        : left.kept());
    }
}
