package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.document.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * The steps whose expressions see more than one row. Each becomes a query over its input, so that
 * all that is true of functions in queries is true of them here.
 */
final class GroupSteps {

    private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;

    /** The window of a step without its frame, for functions that look at none. */
    private static final SqlIdentifier WINDOW = new SqlIdentifier("\0window", NOWHERE);

    /** The window with its frame, if it has one. */
    private static final SqlIdentifier FRAMED = new SqlIdentifier("\0framed", NOWHERE);

    private final PlanningContext context;

    GroupSteps(PlanningContext context) {
        this.context = context;
    }

    Relation aggregate(Step.Aggregate step, Relation input) {
        GroupTexts texts = new GroupTexts(context, input);
        GroupChecker checker = new GroupChecker(texts.text(), input, context.expressions().now());
        SqlNodeList items = new SqlNodeList(NOWHERE);
        SqlNodeList group = new SqlNodeList(NOWHERE);
        Set<String> names = new HashSet<>();
        for (PlanText key : step.by()) {
            try {
                switch (SelectItem.parse(key, input)) {
                    case SelectItem.Star() ->
                            throw new SpillwayException(
                                            ErrorCode.INVALID_EXPRESSION,
                                            "A key is a column's name or 'expression AS name'")
                                    .with(SpillwayException.POSITION, 0);
                    case SelectItem.Name(String name) -> {
                        readable(name, input);
                        items.add(named(GroupTexts.column(name), name, names));
                    }
                    case SelectItem.Aliased(PlanText value, String alias) ->
                            items.add(named(texts.value(value, checker), alias, names));
                }
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, key.pointer());
            }
            group.add(SqlLiteral.createExactNumeric(Integer.toString(items.size()), NOWHERE));
        }
        for (Step.NamedText measure : step.measures()) {
            try {
                SqlNode value = texts.value(measure.value(), checker);
                items.add(named(value, measure.name(), names));
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, measure.value().pointer());
            }
        }
        return texts.convert(select(items, group, null));
    }

    private static void readable(String name, Relation input) {
        try {
            if (input.column(name) instanceof Relation.Unreadable unreadable) {
                throw unreadable.error();
            }
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POSITION, 0);
        }
    }

    private SqlNode named(SqlNode value, String name, Set<String> names) {
        context.checkName(name);
        if (!names.add(name)) {
            throw Projection.duplicate(name);
        }
        context.checkColumns(names.size());
        return SqlStdOperatorTable.AS.createCall(
                value.getParserPosition(), value, new SqlIdentifier(name, NOWHERE));
    }

    private static SqlSelect select(
            SqlNodeList items, @Nullable SqlNodeList group, @Nullable SqlNodeList windows) {
        return new SqlSelect(
                NOWHERE,
                null,
                items,
                GroupTexts.INPUT,
                null,
                group,
                null,
                windows,
                null,
                null,
                null,
                null,
                null);
    }

    Relation window(Step.Window step, Relation input) {
        GroupTexts texts = new GroupTexts(context, input);
        GroupChecker checker = new Windowing(texts.text(), input, context, step.frame() != null);
        ExpressionChecker plain =
                new GroupChecker(texts.text(), input, context.expressions().now());
        SqlNodeList windows = windows(step, input, texts, plain);
        Map<String, SqlNode> computed = new LinkedHashMap<>();
        for (Step.NamedText column : step.columns()) {
            computed.put(column.name(), texts.value(column.value(), checker));
        }
        SqlNodeList items = new SqlNodeList(NOWHERE);
        Set<String> names = new HashSet<>();
        List<Relation.Column> kept = new ArrayList<>();
        for (Relation.Column column : input.columns()) {
            SqlNode replacement = computed.remove(column.name());
            if (replacement == null && column instanceof Relation.Unreadable unreadable) {
                kept.add(unreadable);
                names.add(unreadable.name());
                continue;
            }
            SqlNode value = replacement == null ? GroupTexts.column(column.name()) : replacement;
            items.add(named(value, column.name(), names));
            kept.add(column);
        }
        for (Step.NamedText column : step.columns()) {
            SqlNode added = computed.get(column.name());
            if (added != null) {
                try {
                    items.add(named(added, column.name(), names));
                } catch (SpillwayException e) {
                    throw e.with(SpillwayException.POINTER, column.value().pointer());
                }
            }
        }
        return withUnreadable(texts.convert(select(items, null, windows)), kept);
    }

    /** The result, with columns that cannot be read where they were. */
    private static Relation withUnreadable(Relation result, List<Relation.Column> before) {
        List<Relation.Column> columns = new ArrayList<>();
        int next = 0;
        for (Relation.Column column : before) {
            boolean hidden = column instanceof Relation.Unreadable && !result.has(column.name());
            columns.add(hidden ? column : result.columns().get(next++));
        }
        columns.addAll(result.columns().subList(next, result.columns().size()));
        return new Relation(result.node(), columns);
    }

    private SqlNodeList windows(
            Step.Window step, Relation input, GroupTexts texts, ExpressionChecker checker) {
        SqlNodeList partition = new SqlNodeList(NOWHERE);
        for (PlanText key : step.partitionBy()) {
            partition.add(InLists.expanded(texts.value(key, checker)));
        }
        SqlNodeList order = new SqlNodeList(NOWHERE);
        for (PlanText key : step.orderBy()) {
            OrderItem item = OrderItem.parse(key, input);
            SqlNode value = InLists.expanded(texts.value(item.value(), checker));
            SqlNode directed =
                    item.descending()
                            ? SqlStdOperatorTable.DESC.createCall(value.getParserPosition(), value)
                            : value;
            order.add(
                    (item.nullsFirst()
                                    ? SqlStdOperatorTable.NULLS_FIRST
                                    : SqlStdOperatorTable.NULLS_LAST)
                            .createCall(value.getParserPosition(), directed));
        }
        SqlNodeList windows = SqlNodeList.of(declared(WINDOW, partition, order, null));
        PlanText frame = step.frame();
        if (frame != null) {
            windows.add(declared(FRAMED, partition, order, frame(frame, texts)));
        }
        return windows;
    }

    private static SqlWindow frame(PlanText written, GroupTexts texts) {
        SqlWindow window = texts.frame(written);
        boolean frameOnly =
                window.getOrderList().size() == 1
                        && window.getOrderList().get(0) instanceof SqlLiteral
                        && window.getLowerBound() != null;
        if (!frameOnly || !SqlWindow.isExcludeNoOthers(window.getExclude())) {
            throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION,
                            "A frame is written as ROWS or RANGE BETWEEN one bound AND another")
                    .with(SpillwayException.POINTER, written.pointer())
                    .with(SpillwayException.POSITION, 0)
                    .with(
                            SpillwayException.EXPECTED,
                            List.of("ROWS BETWEEN … AND …", "RANGE BETWEEN … AND …"));
        }
        return window;
    }

    /** Lists are copied: the validator changes what stands in them. */
    private static SqlWindow declared(
            SqlIdentifier name,
            SqlNodeList partition,
            SqlNodeList order,
            @Nullable SqlWindow frame) {
        return SqlWindow.create(
                name,
                null,
                partition.clone(NOWHERE),
                order.clone(NOWHERE),
                SqlLiteral.createBoolean(frame != null && frame.isRows(), NOWHERE),
                frame == null ? null : frame.getLowerBound(),
                frame == null ? null : frame.getUpperBound(),
                null,
                SqlWindow.createExcludeNoOthers(NOWHERE),
                NOWHERE);
    }

    /** Gives each function that stands in no window the step's. */
    private static final class Windowing extends GroupChecker {

        private final boolean framed;

        /**
         * @param framed whether the step has a frame
         */
        Windowing(QueryText text, Relation input, PlanningContext context, boolean framed) {
            super(text, input, context.expressions().now());
            this.framed = framed;
        }

        @Override
        @Nullable SqlNode beyondRow(SqlCall call) {
            if (call.getKind() == SqlKind.FILTER || call.getKind() == SqlKind.WITHIN_GROUP) {
                throw notSupported(
                        call.getKind().sql.replace('_', ' ') + " is not supported in a window",
                        call);
            }
            return super.beyondRow(call);
        }

        @Override
        SqlNode alone(SqlAggFunction function, SqlNode call) {
            return SqlStdOperatorTable.OVER.createCall(
                    call.getParserPosition(),
                    call,
                    framed && function.allowsFraming() ? FRAMED : WINDOW);
        }
    }
}
