package io.spillway.plan.document;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;

/**
 * How large a request may be. Every limit is checked before the work that it bounds, and is an
 * error of its own that names the limit and its value. The defaults leave room for plans that
 * programs write, and keep the worst plan that passes them within a few seconds of one core.
 *
 * @param bytes bytes of the request body
 * @param jsonDepth how deep arrays and objects stand in each other
 * @param steps steps of a plan and of those nested in it, each nested plan counting as one; and
 *     operators that a query in SQL becomes
 * @param columns columns that one step or {@code from} names, and columns of a result
 * @param paths paths of a {@code files}
 * @param values cells (rows × columns) of a {@code values}
 * @param listValues items of one list in an expression, such as that of an IN; of the branches of a
 *     CASE never more than {@value #MAX_CASE_BRANCHES}
 * @param expressionNodes words, literals and operators of all expressions of a plan together
 * @param expressionDepth how deep an expression is nested: by brackets, by prefix operators, and by
 *     chains of operators other than AND and OR (which may be as long as the node limit allows)
 * @param nameLength characters of a name
 * @param literalDigits digits of a number
 */
public record PlanLimits(
        int bytes,
        int jsonDepth,
        int steps,
        int columns,
        int paths,
        int values,
        int listValues,
        int expressionNodes,
        int expressionDepth,
        int nameLength,
        int literalDigits) {

    /**
     * Depths beyond this are refused as a setting: the stack on which plans are compiled is made
     * for it.
     */
    public static final int MAX_DEPTH = 1_000;

    /** The parser takes time that grows with the square of the number of branches. */
    public static final int MAX_CASE_BRANCHES = 5_000;

    public PlanLimits {
        positive("bytes", bytes, Integer.MAX_VALUE);
        positive("jsonDepth", jsonDepth, MAX_DEPTH);
        positive("steps", steps, MAX_DEPTH);
        positive("columns", columns, Integer.MAX_VALUE);
        positive("paths", paths, Integer.MAX_VALUE);
        positive("values", values, Integer.MAX_VALUE);
        positive("listValues", listValues, Integer.MAX_VALUE);
        positive("expressionNodes", expressionNodes, Integer.MAX_VALUE);
        positive("expressionDepth", expressionDepth, MAX_DEPTH);
        positive("nameLength", nameLength, Integer.MAX_VALUE);
        positive("literalDigits", literalDigits, 10_000);
    }

    /** What holds unless something else is configured. */
    public static PlanLimits defaults() {
        return new PlanLimits(
                8 << 20, 64, 200, 10_000, 10_000, 1_000_000, 100_000, 200_000, 200, 1_000, 400);
    }

    /** The error of a plan that has too much of something. */
    public static SpillwayException tooLarge(String limit, int value, String what) {
        return exceeded(ErrorCode.PLAN_TOO_LARGE, limit, value, what);
    }

    /** The error of a plan that nests something too deeply. */
    public static SpillwayException tooDeep(String limit, int value, String what) {
        return exceeded(ErrorCode.PLAN_TOO_DEEP, limit, value, what);
    }

    private static SpillwayException exceeded(
            ErrorCode code, String limit, int value, String what) {
        return new SpillwayException(code, "%s; the limit '%s' is %d".formatted(what, limit, value))
                .with(SpillwayException.LIMIT, value);
    }

    private static void positive(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(
                    "The limit '%s' must be between 1 and %d, not %d".formatted(name, max, value));
        }
    }
}
