package io.spillway.plan.logical;

import io.spillway.operator.key.SortKey;
import io.spillway.operator.window.WindowCall;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;

/** The input's rows with values that are computed from the partition of each. */
final class WindowNode extends SingleRel {

    private final List<Integer> partition;
    private final List<SortKey> order;
    private final List<WindowCall> calls;
    private final List<String> names;

    private WindowNode(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode input,
            List<Integer> partition,
            List<SortKey> order,
            List<WindowCall> calls,
            List<String> names) {
        super(cluster, traits, input);
        this.partition = List.copyOf(partition);
        this.order = List.copyOf(order);
        this.calls = List.copyOf(calls);
        this.names = List.copyOf(names);
    }

    /**
     * @param partition positions of columns
     * @param names of the calls, changed where a column of the input has that name
     */
    static WindowNode create(
            RelNode input,
            List<Integer> partition,
            List<SortKey> order,
            List<WindowCall> calls,
            List<String> names) {
        return new WindowNode(
                input.getCluster(), input.getTraitSet(), input, partition, order, calls, names);
    }

    List<Integer> partition() {
        return partition;
    }

    List<SortKey> order() {
        return order;
    }

    List<WindowCall> calls() {
        return calls;
    }

    /** Names of the calls. */
    List<String> names() {
        return names;
    }

    @Override
    protected RelDataType deriveRowType() {
        RelDataTypeFactory.Builder row = getCluster().getTypeFactory().builder();
        List<RelDataTypeField> fields = input.getRowType().getFieldList();
        fields.forEach(row::add);
        Set<String> taken = new HashSet<>(input.getRowType().getFieldNames());
        for (int i = 0; i < calls.size(); i++) {
            WindowCall call = calls.get(i);
            String name = Algebra.unique(names.get(i), taken);
            row.add(name, TypeMapping.toRel(call.type(), nullable(call, fields)));
        }
        return row.build();
    }

    private static boolean nullable(WindowCall call, List<RelDataTypeField> fields) {
        return switch (call.function()) {
            case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE, COUNT, COUNT_ROWS ->
                    false;
            case LAG, LEAD ->
                    call.arguments().size() < 2
                            || call.arguments().stream()
                                    .anyMatch(a -> fields.get(a).getType().isNullable());
            case FIRST_VALUE, LAST_VALUE, NTH_VALUE, SUM, AVG, MIN, MAX -> true;
        };
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("partition", partition)
                .item("order", order)
                .item(
                        "calls",
                        calls.stream().map(c -> c.function() + " " + c.arguments()).toList());
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new WindowNode(getCluster(), traits, sole(inputs), partition, order, calls, names);
    }
}
