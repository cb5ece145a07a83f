package io.spillway.plan.logical;

import io.spillway.error.SpillwayException;
import io.spillway.operator.key.SortKey;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.document.Step;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;

/** The steps that look at all rows and hand on rows as they are. */
final class OrderSteps {

    private final PlanningContext context;

    OrderSteps(PlanningContext context) {
        this.context = context;
    }

    Relation sort(Step.Sort step, Relation input) {
        ExtendedInput keys = new ExtendedInput(input.node());
        List<SortKey> order = new ArrayList<>();
        for (PlanText text : step.by()) {
            OrderItem item = OrderItem.parse(text, input);
            order.add(
                    new SortKey(
                            keys.position(value(item.value(), input)),
                            item.descending(),
                            item.nullsFirst()));
        }
        RelNode sorted = SortNode.create(keys.node(), order, Algebra.ALL_ROWS);
        return input.over(Algebra.pick(sorted, Algebra.allColumns(input.node())));
    }

    private RexNode value(PlanText text, Relation input) {
        try {
            if (input.find(text.text()) instanceof Relation.Unreadable unreadable) {
                throw unreadable.error().with(SpillwayException.POSITION, 0);
            }
            RexNode value =
                    input.find(text.text()) instanceof Relation.Available column
                            ? context.expressions().reference(column, input)
                            : context.expressions().resolve(text, input);
            if (value.getType().getSqlTypeName() == SqlTypeName.NULL) {
                throw Projection.untyped(text.text()).with(SpillwayException.POSITION, 0);
            }
            return value;
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, text.pointer());
        }
    }

    Relation distinct(Step.Distinct step, Relation input) {
        List<Integer> keys = new ArrayList<>();
        if (step.on().isEmpty()) {
            for (Relation.Column column : input.columns()) {
                keys.add(readable(column).index());
            }
        }
        for (PlanText name : step.on()) {
            try {
                int key = readable(input.column(name.text())).index();
                if (keys.contains(key)) {
                    throw Projection.duplicate(name.text());
                }
                keys.add(key);
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, name.pointer())
                        .with(SpillwayException.POSITION, 0);
            }
        }
        return input.over(DistinctNode.create(input.node(), keys));
    }

    private static Relation.Available readable(Relation.Column column) {
        return switch (column) {
            case Relation.Available available -> available;
            case Relation.Unreadable unreadable -> throw unreadable.error();
        };
    }
}
