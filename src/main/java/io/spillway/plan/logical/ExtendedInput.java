package io.spillway.plan.logical;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * An operator's input with computed columns at its end: operators know their keys and arguments by
 * position only.
 */
final class ExtendedInput {

    private final RelNode input;
    private final List<RexNode> added = new ArrayList<>();

    ExtendedInput(RelNode input) {
        this.input = input;
    }

    /** Where a value over the input's columns stands; added unless it is there. */
    int position(RexNode value) {
        if (value instanceof RexInputRef reference) {
            return reference.getIndex();
        }
        int known = added.indexOf(value);
        if (known < 0) {
            added.add(value);
            return width() + added.size() - 1;
        }
        return width() + known;
    }

    /** The input's own columns. */
    int width() {
        return input.getRowType().getFieldCount();
    }

    /** The type of a column, added ones too. */
    RelDataType type(int position) {
        return position < width()
                ? input.getRowType().getFieldList().get(position).getType()
                : added.get(position - width()).getType();
    }

    /** The input with what was added. */
    RelNode node() {
        if (added.isEmpty()) {
            return input;
        }
        RelDataType row = input.getRowType();
        List<RexNode> values = new ArrayList<>();
        for (int i = 0; i < width(); i++) {
            values.add(RexInputRef.of(i, row));
        }
        List<String> names = new ArrayList<>(row.getFieldNames());
        Set<String> taken = new HashSet<>(names);
        for (RexNode value : added) {
            values.add(value);
            names.add(Algebra.unique("value", taken));
        }
        return Algebra.project(input, values, names);
    }
}
