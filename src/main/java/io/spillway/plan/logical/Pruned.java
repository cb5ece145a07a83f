package io.spillway.plan.logical;

import io.spillway.operator.key.SortKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * What is left of a node.
 *
 * @param node the rest
 * @param kept which of the old columns it has, in their order: at least those asked for
 */
record Pruned(RelNode node, ImmutableBitSet kept) {

    /** Where an old column stands now. */
    int position(int old) {
        return kept.get(old) ? kept.get(0, old).cardinality() : -1;
    }

    /** Where old columns stand now. */
    List<Integer> moved(List<Integer> old) {
        return old.stream().map(this::position).toList();
    }

    /** The same keys. */
    List<SortKey> movedKeys(List<SortKey> keys) {
        return keys.stream()
                .map(k -> new SortKey(position(k.column()), k.descending(), k.nullsFirst()))
                .toList();
    }

    /** References to columns, now that some of the columns before them are gone. */
    RexShuttle references() {
        Map<Integer, Integer> positions = new HashMap<>();
        for (int old : kept) {
            positions.put(old, positions.size());
        }
        return new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef reference) {
                int old = reference.getIndex();
                int position = positions.getOrDefault(old, -1);
                return position == old ? reference : RexInputRef.of(position, node.getRowType());
            }
        };
    }

    /** The columns of keys. */
    static ImmutableBitSet columns(List<SortKey> keys) {
        return ImmutableBitSet.of(keys.stream().map(SortKey::column).toList());
    }
}
