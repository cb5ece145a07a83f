package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.jspecify.annotations.Nullable;

/**
 * What expressions may be made of: Calcite's operators that {@link io.spillway.expression.Function}
 * has a meaning for, and no others. Function names are found in any case.
 */
final class ScalarFunctions {

    /** Functions that are written as {@code NAME(…)}, by name. */
    private static final Map<String, SqlOperator> BY_NAME = new TreeMap<>(OwnFunctions.byName());

    static {
        BY_NAME.putAll(
                Map.ofEntries(
                        Map.entry("ABS", SqlStdOperatorTable.ABS),
                        Map.entry("CEIL", SqlStdOperatorTable.CEIL),
                        Map.entry("CEILING", SqlStdOperatorTable.CEIL),
                        Map.entry("CHAR_LENGTH", SqlStdOperatorTable.CHAR_LENGTH),
                        Map.entry("CHARACTER_LENGTH", SqlStdOperatorTable.CHAR_LENGTH),
                        Map.entry("COALESCE", SqlStdOperatorTable.COALESCE),
                        Map.entry("CONCAT", SqlLibraryOperators.CONCAT_FUNCTION),
                        Map.entry("EXP", SqlStdOperatorTable.EXP),
                        Map.entry("EXTRACT", SqlStdOperatorTable.EXTRACT),
                        Map.entry("FLOOR", SqlStdOperatorTable.FLOOR),
                        Map.entry("GREATEST", SqlLibraryOperators.GREATEST),
                        Map.entry("HOUR", SqlStdOperatorTable.HOUR),
                        Map.entry("LEAST", SqlLibraryOperators.LEAST),
                        Map.entry("LENGTH", SqlStdOperatorTable.CHAR_LENGTH),
                        Map.entry("LN", SqlStdOperatorTable.LN),
                        Map.entry("LOWER", SqlStdOperatorTable.LOWER),
                        Map.entry("MINUTE", SqlStdOperatorTable.MINUTE),
                        Map.entry("MOD", SqlStdOperatorTable.MOD),
                        Map.entry("MONTH", SqlStdOperatorTable.MONTH),
                        Map.entry("NULLIF", SqlStdOperatorTable.NULLIF),
                        Map.entry("POSITION", SqlStdOperatorTable.POSITION),
                        Map.entry("POWER", SqlStdOperatorTable.POWER),
                        Map.entry("QUARTER", SqlStdOperatorTable.QUARTER),
                        Map.entry("REPLACE", SqlStdOperatorTable.REPLACE),
                        Map.entry("ROUND", SqlStdOperatorTable.ROUND),
                        Map.entry("SECOND", SqlStdOperatorTable.SECOND),
                        Map.entry("SQRT", SqlStdOperatorTable.SQRT),
                        Map.entry("SUBSTR", SqlStdOperatorTable.SUBSTRING),
                        Map.entry("SUBSTRING", SqlStdOperatorTable.SUBSTRING),
                        Map.entry("TRIM", SqlStdOperatorTable.TRIM),
                        Map.entry("UPPER", SqlStdOperatorTable.UPPER),
                        Map.entry("YEAR", SqlStdOperatorTable.YEAR)));
    }

    /** Everything else that has a syntax of its own; BETWEEN is equal to its SYMMETRIC form. */
    private static final Set<SqlOperator> SYNTAX =
            Set.of(
                    SqlStdOperatorTable.AND,
                    SqlStdOperatorTable.OR,
                    SqlStdOperatorTable.NOT,
                    SqlStdOperatorTable.IS_NULL,
                    SqlStdOperatorTable.IS_NOT_NULL,
                    SqlStdOperatorTable.IS_TRUE,
                    SqlStdOperatorTable.IS_FALSE,
                    SqlStdOperatorTable.IS_NOT_TRUE,
                    SqlStdOperatorTable.IS_NOT_FALSE,
                    SqlStdOperatorTable.IS_UNKNOWN,
                    SqlStdOperatorTable.IS_NOT_UNKNOWN,
                    SqlStdOperatorTable.IS_DISTINCT_FROM,
                    SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
                    SqlStdOperatorTable.EQUALS,
                    SqlStdOperatorTable.NOT_EQUALS,
                    SqlStdOperatorTable.LESS_THAN,
                    SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
                    SqlStdOperatorTable.GREATER_THAN,
                    SqlStdOperatorTable.GREATER_THAN_OR_EQUAL,
                    SqlStdOperatorTable.BETWEEN,
                    SqlStdOperatorTable.NOT_BETWEEN,
                    SqlStdOperatorTable.IN,
                    SqlStdOperatorTable.NOT_IN,
                    SqlStdOperatorTable.LIKE,
                    SqlStdOperatorTable.NOT_LIKE,
                    SqlLibraryOperators.ILIKE,
                    SqlLibraryOperators.NOT_ILIKE,
                    SqlStdOperatorTable.PLUS,
                    SqlStdOperatorTable.MINUS,
                    SqlStdOperatorTable.MULTIPLY,
                    SqlStdOperatorTable.DIVIDE,
                    SqlStdOperatorTable.PERCENT_REMAINDER,
                    SqlStdOperatorTable.UNARY_MINUS,
                    SqlStdOperatorTable.UNARY_PLUS,
                    SqlStdOperatorTable.CONCAT,
                    SqlStdOperatorTable.CASE,
                    SqlStdOperatorTable.CAST,
                    SqlLibraryOperators.TRY_CAST,
                    SqlLibraryOperators.SAFE_CAST);

    /** Functions of which every call may have another value. */
    private static final Set<String> NOT_REPEATABLE =
            Set.of("RAND", "RAND_INTEGER", "RANDOM", "UUID", "NEWID", "GEN_RANDOM_UUID");

    private ScalarFunctions() {}

    /** The operators that the validator may find. */
    static SqlOperatorTable table() {
        List<SqlOperator> all = new ArrayList<>(SYNTAX);
        all.addAll(new HashSet<>(BY_NAME.values()));
        all.add(SqlStdOperatorTable.SYMMETRIC_BETWEEN);
        all.add(SqlStdOperatorTable.SYMMETRIC_NOT_BETWEEN);
        return SqlOperatorTables.of(all);
    }

    /** Is this an operator with a syntax of its own that expressions may use? */
    static boolean supports(SqlOperator operator) {
        return SYNTAX.contains(operator) || BY_NAME.containsValue(operator);
    }

    /** The function of a name, in any case, or null. */
    static @Nullable SqlOperator find(String name) {
        return BY_NAME.get(name.toUpperCase(Locale.ROOT));
    }

    /** All functions by their names. */
    static Map<String, SqlOperator> byName() {
        return Collections.unmodifiableMap(BY_NAME);
    }

    /** Is it the name of a function over many rows, in any dialect? */
    static boolean isAggregate(String name) {
        SqlFunction known = Known.BY_NAME.get(name.toUpperCase(Locale.ROOT));
        return known != null && known.isAggregator();
    }

    /** The error for a function that is not there, with the reason why. */
    static SpillwayException unknown(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        SqlFunction known = Known.BY_NAME.get(upper);
        SpillwayException failure;
        if (NOT_REPEATABLE.contains(upper)) {
            failure =
                    new SpillwayException(
                            ErrorCode.NOT_SUPPORTED,
                            "The function %s is not allowed: rows must be the same whenever they are read"
                                    .formatted(upper));
        } else if (known != null && isAggregate(upper)) {
            failure =
                    new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION,
                            "%s goes over many rows; an expression sees one".formatted(upper));
        } else if (known != null) {
            failure =
                    new SpillwayException(
                            ErrorCode.NOT_SUPPORTED,
                            "The function %s is not supported".formatted(upper));
        } else {
            failure =
                    new SpillwayException(
                                    ErrorCode.INVALID_EXPRESSION,
                                    "There is no function '%s'".formatted(name))
                            .with(
                                    SpillwayException.SUGGESTION,
                                    NearestName.of(name, BY_NAME.keySet()));
        }
        return failure.with(SpillwayException.FOUND, name);
    }

    /** All functions that Calcite knows in any dialect; made when a name is not found at first. */
    private static final class Known {

        private static final Map<String, SqlFunction> BY_NAME = new HashMap<>();

        static {
            List<SqlOperator> all =
                    new ArrayList<>(SqlStdOperatorTable.instance().getOperatorList());
            EnumSet<SqlLibrary> libraries = EnumSet.allOf(SqlLibrary.class);
            libraries.remove(SqlLibrary.ALL);
            all.addAll(
                    SqlLibraryOperatorTableFactory.INSTANCE
                            .getOperatorTable(libraries)
                            .getOperatorList());
            for (SqlOperator operator : all) {
                if (operator instanceof SqlFunction function) {
                    BY_NAME.putIfAbsent(function.getName().toUpperCase(Locale.ROOT), function);
                }
            }
        }
    }
}
