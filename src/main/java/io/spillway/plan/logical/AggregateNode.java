package io.spillway.plan.logical;

import io.spillway.operator.aggregate.AggregateCall;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * A row for each combination of keys, in order of first appearance: the keys, then a value for each
 * call. Calcite's own node sorts its keys, and has no constant arguments.
 */
final class AggregateNode extends SingleRel {

    private final List<Integer> keys;
    private final List<AggregateCall> calls;
    private final List<String> names;

    private AggregateNode(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode input,
            List<Integer> keys,
            List<AggregateCall> calls,
            List<String> names) {
        super(cluster, traits, input);
        this.keys = List.copyOf(keys);
        this.calls = List.copyOf(calls);
        this.names = List.copyOf(names);
    }

    /**
     * @param keys positions of columns, without repeats; none for one row of all
     * @param names of all columns that come out, unique
     */
    static AggregateNode create(
            RelNode input, List<Integer> keys, List<AggregateCall> calls, List<String> names) {
        return new AggregateNode(
                input.getCluster(), input.getTraitSet(), input, keys, calls, names);
    }

    List<Integer> keys() {
        return keys;
    }

    List<AggregateCall> calls() {
        return calls;
    }

    @Override
    protected RelDataType deriveRowType() {
        RelDataTypeFactory.Builder row = getCluster().getTypeFactory().builder();
        List<RelDataTypeField> fields = input.getRowType().getFieldList();
        for (int key : keys) {
            row.add(names.get(row.getFieldCount()), fields.get(key).getType());
        }
        for (AggregateCall call : calls) {
            row.add(
                    names.get(row.getFieldCount()),
                    TypeMapping.toRel(call.type(), nullable(call, fields)));
        }
        return row.build();
    }

    /** Groups have a row at least; without keys there may be none. */
    private boolean nullable(AggregateCall call, List<RelDataTypeField> fields) {
        return switch (call.function()) {
            case COUNT, COUNT_ROWS, APPROX_COUNT_DISTINCT -> false;
            case STDDEV_SAMP, VAR_SAMP -> true;
            case SUM,
                    AVG,
                    MIN,
                    MAX,
                    STDDEV_POP,
                    VAR_POP,
                    PERCENTILE_CONT,
                    PERCENTILE_DISC,
                    ANY_VALUE,
                    FIRST,
                    LAST,
                    BOOL_AND,
                    BOOL_OR,
                    SINGLE_VALUE ->
                    keys.isEmpty()
                            || call.filter() != null
                            || call.arguments().stream()
                                    .anyMatch(a -> fields.get(a).getType().isNullable());
            case ARRAY_AGG -> keys.isEmpty() || call.filter() != null;
        };
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("keys", keys)
                .item("calls", calls.stream().map(AggregateNode::text).toList());
    }

    private static String text(AggregateCall call) {
        return call.function()
                + (call.distinct() ? " DISTINCT " : " ")
                + call.arguments()
                + (call.order().isEmpty() ? "" : " ORDER BY " + call.order())
                + (call.filter() == null ? "" : " FILTER $" + call.filter());
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new AggregateNode(getCluster(), traits, sole(inputs), keys, calls, names);
    }
}
