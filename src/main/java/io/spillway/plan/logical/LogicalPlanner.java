package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.catalog.Catalog;
import io.spillway.catalog.Snapshot;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.From;
import io.spillway.plan.document.PlanDocument;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.document.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * From a plan document to validated algebra: pins the source, then applies the steps in the order
 * written, each over the columns that the one before it left. One for each plan; not thread-safe.
 */
final class LogicalPlanner {

    private final Catalog catalog;
    private final PlanLimits limits;
    private final RelOptCluster cluster;
    private final ExpressionResolver expressions;

    /**
     * A planner for one plan.
     *
     * @param now what CURRENT_TIMESTAMP and its like stand for
     */
    LogicalPlanner(Catalog catalog, PlanLimits limits, Instant now) {
        this.catalog = catalog;
        this.limits = limits;
        this.cluster = Algebra.newCluster();
        this.expressions = new ExpressionResolver(cluster, limits, now);
    }

    /**
     * The algebra for a plan.
     *
     * @throws SpillwayException with the pointer of what is wrong; what the catalog says of the
     *     source gets the pointer of {@code from}
     */
    LogicalPlan plan(PlanDocument document) {
        Relation relation = from(document.from());
        for (Step step : document.steps()) {
            try {
                relation = apply(step, relation);
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, step.pointer());
            }
        }
        for (Relation.Column column : relation.columns()) {
            if (column instanceof Relation.Unreadable unreadable) {
                throw unreadable
                        .error()
                        .with(SpillwayException.POINTER, document.from().pointer())
                        .with(
                                SpillwayException.EXPECTED,
                                List.of("a step that drops the column or selects others"));
            }
        }
        return new LogicalPlan(relation.node());
    }

    private Relation from(From from) {
        try {
            return switch (from) {
                case From.Dataset(PlanText name) -> scan(catalog.dataset(name.text()));
                case From.Files files ->
                        scan(catalog.files(files.format(), files.paths(), files.options()));
                case From.Values values ->
                        Relation.of(
                                LiteralRows.create(cluster, values.schema(), values.rows()),
                                values.schema(),
                                List.of());
            };
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, from.pointer());
        }
    }

    private Relation scan(Snapshot snapshot) {
        checkColumns(snapshot.schema().size());
        return Relation.of(
                SnapshotScan.create(cluster, snapshot), snapshot.schema(), snapshot.unreadable());
    }

    private Relation apply(Step step, Relation input) {
        return switch (step) {
            case Step.Filter filter -> filter(filter, input);
            case Step.Select select -> select(select, input);
            case Step.WithColumns with -> withColumns(with, input);
            case Step.Rename rename -> rename(rename, input);
            case Step.Drop drop -> drop(drop, input);
            case Step.Limit limit -> input.over(Algebra.limit(input.node(), 0, limit.rows()));
            case Step.Offset offset ->
                    input.over(Algebra.limit(input.node(), offset.rows(), Algebra.ALL_ROWS));
        };
    }

    private Relation filter(Step.Filter step, Relation input) {
        RexNode predicate = expressions.resolve(step.where(), input);
        switch (predicate.getType().getSqlTypeName()) {
            case BOOLEAN -> {}
            case NULL -> predicate = Algebra.unknown(cluster);
            default ->
                    throw new SpillwayException(
                                    ErrorCode.TYPE_MISMATCH,
                                    "A filter must be true or false, not of type "
                                            + TypeMapping.toColumn(predicate.getType()))
                            .with(SpillwayException.POINTER, step.where().pointer())
                            .with(SpillwayException.POSITION, 0)
                            .with(
                                    SpillwayException.FOUND,
                                    TypeMapping.toColumn(predicate.getType()).toString())
                            .with(SpillwayException.EXPECTED, List.of("bool"));
        }
        return input.over(Algebra.filter(input.node(), predicate));
    }

    private Relation select(Step.Select step, Relation input) {
        Projection projection = new Projection(input);
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
                            projection.add(alias, expressions.resolve(expression, input));
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

    private Relation withColumns(Step.WithColumns step, Relation input) {
        Map<String, RexNode> computed = new LinkedHashMap<>();
        for (Step.NamedText column : step.columns()) {
            computed.put(column.name(), expression(column.value(), input));
        }
        Projection projection = new Projection(input);
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
                ? expressions.reference(column, input)
                : expressions.resolve(text, input);
    }

    private Relation rename(Step.Rename step, Relation input) {
        Map<String, PlanText> names = new HashMap<>();
        for (Step.NamedText column : step.columns()) {
            try {
                input.column(column.name());
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, column.value().pointer());
            }
            names.put(column.name(), column.value());
        }
        Projection projection = new Projection(input);
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

    private Relation drop(Step.Drop step, Relation input) {
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
        Projection projection = new Projection(input);
        for (Relation.Column column : input.columns()) {
            if (!dropped.contains(column.name())) {
                projection.add(column);
            }
        }
        return projection.build();
    }

    private void checkColumns(int count) {
        if (count > limits.columns()) {
            throw PlanLimits.tooLarge(
                    "columns", limits.columns(), "There are %d columns".formatted(count));
        }
    }

    /** The columns of a relation's successor, being collected. */
    private final class Projection {

        private final Relation input;
        private final Set<String> names = new HashSet<>();
        private final List<Relation.Column> columns = new ArrayList<>();
        private final List<RexNode> values = new ArrayList<>();
        private final List<String> valueNames = new ArrayList<>();

        Projection(Relation input) {
            this.input = input;
        }

        /** A column of the input, perhaps under a new name. */
        void add(Relation.Column column) {
            switch (column) {
                case Relation.Available available ->
                        add(column.name(), expressions.reference(available, input));
                case Relation.Unreadable unreadable -> {
                    checkName(column.name());
                    columns.add(unreadable);
                }
            }
        }

        void add(String name, RexNode value) {
            checkName(name);
            ColumnSchema schema =
                    new ColumnSchema(name, columnType(name, value), value.getType().isNullable());
            columns.add(new Relation.Available(schema, values.size()));
            values.add(value);
            valueNames.add(name);
        }

        private ColumnType columnType(String name, RexNode value) {
            if (value.getType().getSqlTypeName() == SqlTypeName.NULL) {
                throw new SpillwayException(
                                ErrorCode.TYPE_MISMATCH,
                                "Column '%s' is NULL and has no type; write CAST(NULL AS …)"
                                        .formatted(name))
                        .with(SpillwayException.COLUMN, name);
            }
            return TypeMapping.toColumn(value.getType());
        }

        private void checkName(String name) {
            if (name.isEmpty()) {
                throw new SpillwayException(
                        ErrorCode.INVALID_PLAN, "A column's name cannot be empty");
            }
            if (name.length() > limits.nameLength()) {
                throw PlanLimits.tooLarge(
                        "nameLength", limits.nameLength(), "A column's name is too long");
            }
            if (!names.add(name)) {
                throw new SpillwayException(
                                ErrorCode.DUPLICATE_COLUMN,
                                "Two columns are named '%s'".formatted(name))
                        .with(SpillwayException.COLUMN, name);
            }
            checkColumns(names.size());
        }

        Relation build() {
            if (columns.isEmpty()) {
                throw new SpillwayException(
                        ErrorCode.INVALID_PLAN, "At least one column must remain");
            }
            return new Relation(Algebra.project(input.node(), values, valueNames), columns);
        }
    }
}
