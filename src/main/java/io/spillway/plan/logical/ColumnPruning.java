package io.spillway.plan.logical;

import io.spillway.operator.key.SortKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes away, from the top down, the columns that nobody asks for, so that a scan reads exactly
 * those that are used, in the order in which they are wanted where a projection only picks some;
 * perhaps none.
 */
final class ColumnPruning {

    private ColumnPruning() {}

    /**
     * The same rows with the same columns, if perhaps by other names. Recurses as deep as the plan.
     */
    static RelNode prune(RelNode root) {
        return prune(root, ImmutableBitSet.range(root.getRowType().getFieldCount())).node();
    }

    /**
     * What is left of a node.
     *
     * @param needed positions of the columns that are asked for
     */
    static Pruned prune(RelNode node, ImmutableBitSet needed) {
        return switch (node) {
            case Project project -> new Pruned(project(project, needed), needed);
            case Filter filter -> {
                ImmutableBitSet used = RelOptUtil.InputFinder.bits(filter.getCondition());
                Pruned input = prune(filter.getInput(), needed.union(used));
                RexNode condition = filter.getCondition().accept(input.references());
                yield new Pruned(Algebra.filter(input.node(), condition), input.kept());
            }
            case Sort limit -> {
                Pruned input = prune(limit.getInput(), needed);
                RelNode same =
                        Algebra.limit(input.node(), Algebra.offset(limit), Algebra.rows(limit));
                yield new Pruned(same, input.kept());
            }
            case UnionNode union -> new Pruned(union(union, needed), needed);
            case ExplodeNode explode -> {
                // The list says how many rows there are, whoever asks for its elements.
                Pruned input = prune(explode.getInput(), needed.set(explode.column()));
                int column = input.position(explode.column());
                yield new Pruned(
                        ExplodeNode.create(input.node(), column, explode.outer()), input.kept());
            }
            case RowIndexNode index -> rowIndex(index, needed);
            case SampleFractionNode sample -> over(sample, needed);
            case SampleRowsNode sample -> over(sample, needed);
            case RepartitionNode partitions -> over(partitions, needed);
            case SnapshotScan scan -> new Pruned(scan.project(needed.asList()), needed);
            case LiteralRows rows -> new Pruned(rows.project(needed.asList()), needed);
            case SortNode sort -> {
                Pruned input = prune(sort.getInput(), needed.union(Pruned.columns(sort.keys())));
                List<SortKey> keys = input.movedKeys(sort.keys());
                yield new Pruned(SortNode.create(input.node(), keys, sort.rows()), input.kept());
            }
            case DistinctNode distinct -> {
                ImmutableBitSet keys = ImmutableBitSet.of(distinct.keys());
                Pruned input = prune(distinct.getInput(), needed.union(keys));
                List<Integer> moved = input.moved(distinct.keys());
                yield new Pruned(DistinctNode.create(input.node(), moved), input.kept());
            }
            case AggregateNode aggregate -> CallPruning.aggregate(aggregate, needed);
            case WindowNode window -> CallPruning.window(window, needed);
            case JoinNode join -> CallPruning.join(join, needed);
            default -> throw new IllegalStateException("Unexpected " + node.getRelTypeName());
        };
    }

    /** A node whose columns are its input's. */
    private static Pruned over(SingleRel node, ImmutableBitSet needed) {
        Pruned input = prune(node.getInput(), needed);
        return new Pruned(node.copy(node.getTraitSet(), List.of(input.node())), input.kept());
    }

    /** Inputs may keep more than they are asked for, and each something else. */
    private static RelNode union(UnionNode union, ImmutableBitSet needed) {
        List<RelNode> inputs = new ArrayList<>();
        for (RelNode node : union.getInputs()) {
            Pruned input = prune(node, needed);
            inputs.add(input.kept().equals(needed) ? input.node() : only(input, needed));
        }
        return UnionNode.create(inputs);
    }

    private static RelNode only(Pruned input, ImmutableBitSet needed) {
        List<RexNode> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int column : needed) {
            int position = input.position(column);
            values.add(RexInputRef.of(position, input.node().getRowType()));
            names.add(input.node().getRowType().getFieldNames().get(position));
        }
        return Algebra.project(input.node(), values, names);
    }

    private static Pruned rowIndex(RowIndexNode index, ImmutableBitSet needed) {
        int number = index.getRowType().getFieldCount() - 1;
        Pruned input = prune(index.getInput(), needed.clear(number));
        return needed.get(number)
                ? new Pruned(
                        index.copy(index.getTraitSet(), List.of(input.node())),
                        input.kept().set(number))
                : input;
    }

    private static RelNode project(Project project, ImmutableBitSet needed) {
        List<RexNode> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i : needed) {
            values.add(project.getProjects().get(i));
            names.add(project.getRowType().getFieldNames().get(i));
        }
        Pruned input = prune(project.getInput(), RelOptUtil.InputFinder.bits(values, null));
        List<RexNode> moved = input.references().apply(values);
        List<Integer> picked = picked(moved);
        if (picked != null) {
            if (input.node() instanceof SnapshotScan scan) {
                return scan.project(picked);
            }
            if (input.node() instanceof LiteralRows rows) {
                return rows.project(picked);
            }
            if (picked.equals(all(input.node()))) {
                return input.node();
            }
        }
        return Algebra.project(input.node(), moved, names);
    }

    /** The positions of the input's columns, if the values are just these, each at most once. */
    private static @Nullable List<Integer> picked(List<RexNode> values) {
        List<Integer> picked = new ArrayList<>();
        for (RexNode value : values) {
            if (!(value instanceof RexInputRef reference)) {
                return null;
            }
            picked.add(reference.getIndex());
        }
        return new HashSet<>(picked).size() == picked.size() ? picked : null;
    }

    private static List<Integer> all(RelNode node) {
        return ImmutableBitSet.range(node.getRowType().getFieldCount()).asList();
    }
}
