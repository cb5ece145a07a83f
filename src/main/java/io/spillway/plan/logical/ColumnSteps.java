package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.document.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rex.RexNode;

/** The steps that change what columns there are, row by row. */
final class ColumnSteps {

    private final PlanningContext context;

    ColumnSteps(PlanningContext context) {
        this.context = context;
    }

    Relation select(Step.Select step, Relation input) {
        Projection projection = new Projection(context, input);
        for (PlanText item : step.columns()) {
            try {
                switch (SelectItem.parse(item, input)) {
                    case SelectItem.Star() -> {
                        for (Relation.Column column : input.columns()) {
                            if (column instanceof Relation.Unreadable unreadable) {
                                throw unreadable.error();
                            }
                            projection.add(column);
                        }
                    }
                    case SelectItem.Name(String name) -> {
                        Relation.Column column = column(name, input);
                        if (column instanceof Relation.Unreadable unreadable) {
                            throw unreadable.error();
                        }
                        projection.add(column);
                    }
                    case SelectItem.Aliased(PlanText expression, String alias) ->
                            projection.add(alias, context.expressions().resolve(expression, input));
                }
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, item.pointer());
            }
        }
        return projection.build();
    }

    private static Relation.Column column(String name, Relation relation) {
        try {
            return relation.column(name);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POSITION, 0);
        }
    }

    Relation withColumns(Step.WithColumns step, Relation input) {
        Map<String, RexNode> computed = new LinkedHashMap<>();
        for (Step.NamedText column : step.columns()) {
            computed.put(column.name(), expression(column.value(), input));
        }
        Projection projection = new Projection(context, input);
        for (Relation.Column column : input.columns()) {
            RexNode replacement = computed.remove(column.name());
            if (replacement == null) {
                projection.add(column);
            } else {
                projection.add(column.name(), replacement);
            }
        }
        for (Step.NamedText column : step.columns()) {
            RexNode added = computed.get(column.name());
            if (added != null) {
                try {
                    projection.add(column.name(), added);
                } catch (SpillwayException e) {
                    throw e.with(SpillwayException.POINTER, column.value().pointer());
                }
            }
        }
        return projection.build();
    }

    /** An expression; a text that is exactly a column's name is that column. */
    private RexNode expression(PlanText text, Relation input) {
        return input.find(text.text()) instanceof Relation.Available column
                ? context.expressions().reference(column, input)
                : context.expressions().resolve(text, input);
    }

    Relation rename(Step.Rename step, Relation input) {
        Map<String, PlanText> names = new HashMap<>();
        for (Step.NamedText column : step.columns()) {
            try {
                input.column(column.name());
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, column.value().pointer());
            }
            names.put(column.name(), column.value());
        }
        Projection projection = new Projection(context, input);
        for (Relation.Column column : input.columns()) {
            PlanText name = names.get(column.name());
            try {
                projection.add(name == null ? column : column.named(name.text()));
            } catch (SpillwayException e) {
                throw name == null ? e : e.with(SpillwayException.POINTER, name.pointer());
            }
        }
        return projection.build();
    }

    Relation drop(Step.Drop step, Relation input) {
        Set<String> dropped = new HashSet<>();
        for (PlanText name : step.columns()) {
            try {
                input.column(name.text());
                if (!dropped.add(name.text())) {
                    throw new SpillwayException(
                                    ErrorCode.DUPLICATE_COLUMN,
                                    "Column '%s' is named twice".formatted(name.text()))
                            .with(SpillwayException.COLUMN, name.text());
                }
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, name.pointer());
            }
        }
        Projection projection = new Projection(context, input);
        for (Relation.Column column : input.columns()) {
            if (!dropped.contains(column.name())) {
                projection.add(column);
            }
        }
        return projection.build();
    }
}
