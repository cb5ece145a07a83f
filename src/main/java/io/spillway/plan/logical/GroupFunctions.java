package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.operator.aggregate.AggregateFunction;
import io.spillway.operator.window.WindowFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.util.Optionality;
import org.jspecify.annotations.Nullable;

/**
 * The functions that see more than one row: aggregates of groups, and those of windows. Names are
 * found in any case.
 */
final class GroupFunctions {

    /** Calcite's own, which its treatment of sub-queries knows by sight. */
    private static final Map<SqlOperator, AggregateFunction> STANDARD =
            Map.of(
                    SqlStdOperatorTable.COUNT, AggregateFunction.COUNT,
                    SqlStdOperatorTable.MIN, AggregateFunction.MIN,
                    SqlStdOperatorTable.MAX, AggregateFunction.MAX,
                    SqlStdOperatorTable.SUM, AggregateFunction.SUM,
                    SqlStdOperatorTable.SINGLE_VALUE, AggregateFunction.SINGLE_VALUE,
                    SqlStdOperatorTable.EVERY, AggregateFunction.BOOL_AND,
                    SqlStdOperatorTable.SOME, AggregateFunction.BOOL_OR);

    private static final Map<String, SqlAggFunction> AGGREGATES = aggregates();

    private static final Map<String, SqlAggFunction> WINDOWS =
            Map.ofEntries(
                    Map.entry("ROW_NUMBER", SqlStdOperatorTable.ROW_NUMBER),
                    Map.entry("RANK", SqlStdOperatorTable.RANK),
                    Map.entry("DENSE_RANK", SqlStdOperatorTable.DENSE_RANK),
                    Map.entry("PERCENT_RANK", SqlStdOperatorTable.PERCENT_RANK),
                    Map.entry("CUME_DIST", SqlStdOperatorTable.CUME_DIST),
                    Map.entry("NTILE", SqlStdOperatorTable.NTILE),
                    Map.entry("LAG", SqlStdOperatorTable.LAG),
                    Map.entry("LEAD", SqlStdOperatorTable.LEAD),
                    Map.entry("FIRST_VALUE", SqlStdOperatorTable.FIRST_VALUE),
                    Map.entry("LAST_VALUE", SqlStdOperatorTable.LAST_VALUE),
                    Map.entry("NTH_VALUE", SqlStdOperatorTable.NTH_VALUE));

    /** What puts functions over groups and windows together. */
    private static final Set<SqlKind> SYNTAX =
            Set.of(SqlKind.FILTER, SqlKind.WITHIN_GROUP, SqlKind.OVER);

    private GroupFunctions() {}

    private static Map<String, SqlAggFunction> aggregates() {
        Map<String, SqlAggFunction> all = new LinkedHashMap<>();
        all.put("COUNT", SqlStdOperatorTable.COUNT);
        all.put("MIN", SqlStdOperatorTable.MIN);
        all.put("MAX", SqlStdOperatorTable.MAX);
        add(all, AggregateFunction.SUM, OperandTypes.NUMERIC, Optionality.FORBIDDEN);
        add(all, AggregateFunction.AVG, OperandTypes.NUMERIC, Optionality.FORBIDDEN, "MEAN");
        add(
                all,
                AggregateFunction.STDDEV_SAMP,
                OperandTypes.NUMERIC,
                Optionality.FORBIDDEN,
                "STDDEV");
        add(all, AggregateFunction.STDDEV_POP, OperandTypes.NUMERIC, Optionality.FORBIDDEN);
        add(
                all,
                AggregateFunction.VAR_SAMP,
                OperandTypes.NUMERIC,
                Optionality.FORBIDDEN,
                "VARIANCE");
        add(all, AggregateFunction.VAR_POP, OperandTypes.NUMERIC, Optionality.FORBIDDEN);
        SqlOperandTypeChecker fraction = OperandTypes.UNIT_INTERVAL_NUMERIC_LITERAL;
        add(all, AggregateFunction.PERCENTILE_CONT, fraction, Optionality.MANDATORY);
        add(all, AggregateFunction.PERCENTILE_DISC, fraction, Optionality.MANDATORY);
        add(all, AggregateFunction.ANY_VALUE, OperandTypes.ANY, Optionality.FORBIDDEN);
        add(all, AggregateFunction.FIRST, OperandTypes.ANY, Optionality.OPTIONAL);
        add(all, AggregateFunction.LAST, OperandTypes.ANY, Optionality.OPTIONAL);
        add(all, AggregateFunction.ARRAY_AGG, OperandTypes.ANY, Optionality.OPTIONAL);
        add(
                all,
                AggregateFunction.BOOL_AND,
                OperandTypes.BOOLEAN,
                Optionality.FORBIDDEN,
                "EVERY",
                "LOGICAL_AND");
        add(
                all,
                AggregateFunction.BOOL_OR,
                OperandTypes.BOOLEAN,
                Optionality.FORBIDDEN,
                "LOGICAL_OR");
        add(all, AggregateFunction.APPROX_COUNT_DISTINCT, OperandTypes.ANY, Optionality.FORBIDDEN);
        return all;
    }

    private static void add(
            Map<String, SqlAggFunction> all,
            AggregateFunction function,
            SqlOperandTypeChecker operands,
            Optionality order,
            String... otherNames) {
        AggregateOperator operator = new AggregateOperator(function, operands, order);
        all.put(function.name(), operator);
        for (String name : otherNames) {
            all.put(name, operator);
        }
    }

    /**
     * The operators that the validator may find in a query: those of expressions, these functions,
     * and all that has a syntax of its own, which is looked at before.
     */
    static SqlOperatorTable table() {
        List<SqlOperator> all = new ArrayList<>();
        for (SqlOperator operator : SqlStdOperatorTable.instance().getOperatorList()) {
            if (!(operator instanceof SqlFunction)) {
                all.add(operator);
            }
        }
        all.addAll(new HashSet<>(AGGREGATES.values()));
        all.addAll(WINDOWS.values());
        all.add(SqlStdOperatorTable.GROUPING);
        return SqlOperatorTables.chain(
                ScalarFunctions.table(), SqlOperatorTables.of(all), new Count());
    }

    /**
     * COUNT has the syntax of {@code COUNT(*)}, but is looked up as a function by its arguments.
     */
    private static final class Count implements SqlOperatorTable {

        @Override
        public void lookupOperatorOverloads(
                SqlIdentifier name,
                @Nullable SqlFunctionCategory category,
                SqlSyntax syntax,
                List<SqlOperator> found,
                SqlNameMatcher matcher) {
            if (syntax == SqlSyntax.FUNCTION
                    && name.isSimple()
                    && name.getSimple().equals(SqlStdOperatorTable.COUNT.getName())) {
                found.add(SqlStdOperatorTable.COUNT);
            }
        }

        @Override
        public List<SqlOperator> getOperatorList() {
            return List.of(SqlStdOperatorTable.COUNT);
        }
    }

    /** The aggregate functions by their names. */
    static Map<String, SqlAggFunction> aggregatesByName() {
        return Collections.unmodifiableMap(AGGREGATES);
    }

    /** The functions that are nothing without a window, by their names. */
    static Map<String, SqlAggFunction> windowsByName() {
        return WINDOWS;
    }

    /** The function of a name, in any case, or null. */
    static @Nullable SqlAggFunction find(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        SqlAggFunction aggregate = AGGREGATES.get(upper);
        if (aggregate != null) {
            return aggregate;
        }
        return upper.equals("GROUPING") ? SqlStdOperatorTable.GROUPING : WINDOWS.get(upper);
    }

    /** Is it one that is nothing without a window? */
    static boolean needsWindow(SqlOperator operator) {
        return operator instanceof SqlAggFunction function && WINDOWS.containsValue(function);
    }

    /** Does the call see more than one row? */
    static boolean isGroup(SqlOperator operator) {
        return SYNTAX.contains(operator.getKind()) || operator instanceof SqlAggFunction;
    }

    /**
     * The aggregate function for an operator.
     *
     * @throws SpillwayException {@code NOT_SUPPORTED}
     */
    static AggregateFunction aggregate(SqlOperator operator) {
        AggregateFunction function =
                operator instanceof AggregateOperator own ? own.function() : STANDARD.get(operator);
        if (function == null) {
            throw RexTranslator.notSupported("The aggregate function " + operator.getName());
        }
        return function;
    }

    /**
     * The window function for an operator.
     *
     * @throws SpillwayException {@code NOT_SUPPORTED}
     */
    static WindowFunction window(SqlOperator operator) {
        if (WINDOWS.containsKey(operator.getName())) {
            return WindowFunction.valueOf(operator.getName());
        }
        return switch (aggregate(operator)) {
            case SUM -> WindowFunction.SUM;
            case AVG -> WindowFunction.AVG;
            case COUNT, COUNT_ROWS -> WindowFunction.COUNT;
            case MIN -> WindowFunction.MIN;
            case MAX -> WindowFunction.MAX;
            case FIRST -> WindowFunction.FIRST_VALUE;
            case LAST -> WindowFunction.LAST_VALUE;
            case STDDEV_SAMP,
                    STDDEV_POP,
                    VAR_SAMP,
                    VAR_POP,
                    PERCENTILE_CONT,
                    PERCENTILE_DISC,
                    ANY_VALUE,
                    ARRAY_AGG,
                    BOOL_AND,
                    BOOL_OR,
                    APPROX_COUNT_DISTINCT,
                    SINGLE_VALUE ->
                    throw RexTranslator.notSupported(operator.getName() + " over a window");
        };
    }

    /** The error for a name that is no function, with the nearest one. */
    static SpillwayException unknown(String name) {
        Set<String> names = new TreeSet<>(AGGREGATES.keySet());
        names.addAll(WINDOWS.keySet());
        String near = NearestName.of(name.toUpperCase(Locale.ROOT), names);
        SpillwayException failure = ScalarFunctions.unknown(name);
        return failure.code() == ErrorCode.INVALID_EXPRESSION
                ? failure.with(SpillwayException.SUGGESTION, near)
                : failure;
    }
}
