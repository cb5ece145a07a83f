package io.spillway.plan.logical;

import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.rules.FilterMergeRule;
import org.jspecify.annotations.Nullable;

/** A rule about a node and the only input it has. */
abstract class PairRule<U extends RelNode, L extends RelNode> extends RelRule<RelRule.Config> {

    /**
     * A rule for such pairs.
     *
     * @param upper class of the node
     * @param lower class of its input
     */
    PairRule(OptimizerRule rule, Class<U> upper, Class<L> lower) {
        // Any rule's configuration will do: what it says is replaced.
        super(
                FilterMergeRule.Config.DEFAULT
                        .withOperandSupplier(
                                top ->
                                        top.operand(upper)
                                                .oneInput(b -> b.operand(lower).anyInputs()))
                        .withDescription(
                                "Spillway" + rule + upper.getSimpleName() + lower.getSimpleName()));
    }

    @Override
    public final void onMatch(RelOptRuleCall call) {
        U upper = call.rel(0);
        L lower = call.rel(1);
        RelNode replacement = replace(upper, lower);
        if (replacement != null) {
            call.transformTo(replacement);
        }
    }

    /** An equivalent of the upper node, or null to leave it as it is. */
    abstract @Nullable RelNode replace(U upper, L lower);
}
