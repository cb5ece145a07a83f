package io.spillway.plan.physical;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Resolved expressions as text that reads like SQL, for people. Fully bracketed below the top; long
 * lists are cut short, so that the text stays readable: it is not meant to be read back.
 */
public final class ExpressionText {

    private static final int MAX_ITEMS = 20;
    private static final int MAX_LITERAL = 100;

    private final RowSchema input;

    private ExpressionText(RowSchema input) {
        this.input = input;
    }

    /** The expression over columns of a schema. */
    public static String of(Expression expression, RowSchema input) {
        return new ExpressionText(input).top(expression);
    }

    /** A column's name, in double quotes if it is not a plain word. */
    public static String name(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : quote(name, '"');
    }

    private String top(Expression e) {
        return switch (e) {
            case Expression.Column(int index, ColumnType _) -> name(input.column(index).name());
            case Expression.Literal(ColumnType type, @Nullable String value) ->
                    literal(type, value);
            case Expression.Call call -> call(call);
            case Expression.Cast(Expression argument, ColumnType type, boolean safe) ->
                    (safe ? "TRY_CAST(" : "CAST(") + top(argument) + " AS " + type + ")";
            case Expression.Case(
                            List<Expression.Branch> branches,
                            Expression otherwise,
                            ColumnType _) -> {
                StringBuilder out = new StringBuilder("CASE");
                for (Expression.Branch b : branches) {
                    out.append(" WHEN ").append(top(b.when()));
                    out.append(" THEN ").append(top(b.then()));
                }
                yield out.append(" ELSE ").append(top(otherwise)).append(" END").toString();
            }
            case Expression.In(Expression argument, List<Expression.Literal> values) ->
                    inner(argument) + " IN (" + list(values, ", ") + ")";
        };
    }

    /** As an operand: bracketed if it is made of words or operators. */
    private String inner(Expression e) {
        boolean infix =
                switch (e) {
                    case Expression.Call call -> symbol(call.function()) != null;
                    case Expression.In _ -> true;
                    case Expression.Column _,
                            Expression.Literal _,
                            Expression.Cast _,
                            Expression.Case _ ->
                            false;
                };
        return infix ? "(" + top(e) + ")" : top(e);
    }

    private String call(Expression.Call call) {
        Function f = call.function();
        List<Expression> arguments = call.arguments();
        String symbol = symbol(f);
        if (symbol == null) {
            return f.name() + "(" + list(arguments, ", ") + ")";
        }
        return switch (f) {
            case NOT, NEGATE -> symbol + inner(arguments.getFirst());
            case IS_NULL, IS_NOT_NULL, IS_TRUE, IS_FALSE, IS_NOT_TRUE, IS_NOT_FALSE ->
                    inner(arguments.getFirst()) + symbol;
            case LIKE ->
                    inner(arguments.get(0))
                            + symbol
                            + inner(arguments.get(1))
                            + (arguments.size() > 2 ? " ESCAPE " + inner(arguments.get(2)) : "");
            default -> operands(arguments, symbol);
        };
    }

    private String operands(List<Expression> arguments, String symbol) {
        List<String> texts = new ArrayList<>();
        for (Expression a : arguments.subList(0, Math.min(MAX_ITEMS, arguments.size()))) {
            texts.add(inner(a));
        }
        return String.join(symbol, texts) + more(arguments.size(), symbol);
    }

    private String list(List<? extends Expression> items, String separator) {
        List<String> texts = new ArrayList<>();
        for (Expression e : items.subList(0, Math.min(MAX_ITEMS, items.size()))) {
            texts.add(top(e));
        }
        return String.join(separator, texts) + more(items.size(), separator);
    }

    private static String more(int size, String separator) {
        return size <= MAX_ITEMS
                ? ""
                : String.format(Locale.ROOT, "%s… %,d more", separator, size - MAX_ITEMS);
    }

    /** How a function stands between or beside its operands, or null if it is written as a call. */
    private static @Nullable String symbol(Function f) {
        return switch (f) {
            case AND -> " AND ";
            case OR -> " OR ";
            case NOT -> "NOT ";
            case IS_NULL -> " IS NULL";
            case IS_NOT_NULL -> " IS NOT NULL";
            case IS_TRUE -> " IS TRUE";
            case IS_FALSE -> " IS FALSE";
            case IS_NOT_TRUE -> " IS NOT TRUE";
            case IS_NOT_FALSE -> " IS NOT FALSE";
            case IS_NOT_DISTINCT_FROM -> " IS NOT DISTINCT FROM ";
            case IS_DISTINCT_FROM -> " IS DISTINCT FROM ";
            case EQUAL -> " = ";
            case NOT_EQUAL -> " <> ";
            case LESS -> " < ";
            case LESS_OR_EQUAL -> " <= ";
            case GREATER -> " > ";
            case GREATER_OR_EQUAL -> " >= ";
            case ADD -> " + ";
            case SUBTRACT -> " - ";
            case MULTIPLY -> " * ";
            case DIVIDE -> " / ";
            case REMAINDER -> " % ";
            case NEGATE -> "-";
            case CONCAT -> " || ";
            case LIKE -> " LIKE ";
            case LOG10,
                    LOG2,
                    CBRT,
                    SIN,
                    COS,
                    TAN,
                    ASIN,
                    ACOS,
                    ATAN,
                    ATAN2,
                    SINH,
                    COSH,
                    TANH,
                    DEGREES,
                    RADIANS,
                    SIGN,
                    GREATEST,
                    LEAST,
                    OCTET_LENGTH,
                    LEFT,
                    RIGHT,
                    LPAD,
                    RPAD,
                    REPEAT,
                    REVERSE,
                    SPLIT_PART,
                    STARTS_WITH,
                    ENDS_WITH,
                    CONTAINS,
                    REGEXP_LIKE,
                    REGEXP_EXTRACT,
                    REGEXP_REPLACE,
                    MD5,
                    SHA256,
                    XXHASH64,
                    JSON_VALUE,
                    CARDINALITY,
                    ELEMENT_AT,
                    ARRAY_CONTAINS,
                    STRUCT_EXTRACT,
                    NAMED_STRUCT,
                    ABS,
                    FLOOR,
                    CEIL,
                    ROUND,
                    SQRT,
                    POWER,
                    LN,
                    EXP,
                    UPPER,
                    LOWER,
                    TRIM,
                    LTRIM,
                    RTRIM,
                    CHAR_LENGTH,
                    SUBSTRING,
                    POSITION,
                    REPLACE,
                    EXTRACT_YEAR,
                    EXTRACT_QUARTER,
                    EXTRACT_MONTH,
                    EXTRACT_DAY,
                    EXTRACT_DAY_OF_WEEK,
                    EXTRACT_DAY_OF_YEAR,
                    EXTRACT_HOUR,
                    EXTRACT_MINUTE,
                    EXTRACT_SECOND,
                    EXTRACT_MILLENNIUM,
                    EXTRACT_CENTURY,
                    EXTRACT_DECADE,
                    EXTRACT_WEEK,
                    EXTRACT_ISO_YEAR,
                    EXTRACT_ISO_DAY_OF_WEEK,
                    EXTRACT_MILLISECOND,
                    EXTRACT_MICROSECOND,
                    EXTRACT_NANOSECOND,
                    EXTRACT_EPOCH,
                    DATE_TRUNC,
                    DATE_BUCKET,
                    DATE_DIFF,
                    STRFTIME,
                    STRPTIME,
                    TRY_STRPTIME,
                    ADD_MONTHS,
                    ADD_UNITS ->
                    null;
        };
    }

    private static String literal(ColumnType type, @Nullable String value) {
        if (value == null) {
            return "NULL";
        }
        return switch (type) {
            case ColumnType.Bool _ -> value.toUpperCase(Locale.ROOT);
            case ColumnType.Int _, ColumnType.FloatingPoint _, ColumnType.Decimal _ -> value;
            case ColumnType.Utf8 _ -> quote(abbreviate(value), '\'');
            case ColumnType.Binary _, ColumnType.FixedBinary _ -> "X'" + abbreviate(value) + "'";
            case ColumnType.Date _ -> "DATE '" + LocalDate.ofEpochDay(Long.parseLong(value)) + "'";
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    "TIME '" + LocalTime.MIDNIGHT.plus(duration(Long.parseLong(value), unit)) + "'";
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean utc) -> {
                String instant =
                        Instant.EPOCH.plus(duration(Long.parseLong(value), unit)).toString();
                yield "TIMESTAMP '"
                        + (utc ? instant : instant.substring(0, instant.length() - 1))
                        + "'";
            }
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ -> abbreviate(value);
        };
    }

    private static Duration duration(long count, ColumnType.TimeUnit unit) {
        long perSecond = unit.perSecond();
        return Duration.ofSeconds(
                Math.floorDiv(count, perSecond),
                Math.floorMod(count, perSecond) * (1_000_000_000L / perSecond));
    }

    private static String abbreviate(String text) {
        return text.length() <= MAX_LITERAL ? text : text.substring(0, MAX_LITERAL) + "…";
    }

    private static String quote(String text, char quote) {
        String q = String.valueOf(quote);
        return q + text.replace(q, q + q) + q;
    }
}
