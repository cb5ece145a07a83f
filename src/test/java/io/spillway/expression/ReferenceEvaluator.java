package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates an expression for one row, on Java objects and straight from the definitions. Knows the
 * functions and conversions that {@link RandomExpressions} makes.
 */
final class ReferenceEvaluator {

    /** The row has no value. */
    static final class Raised extends RuntimeException {
        private final ErrorCode code;

        Raised(ErrorCode code) {
            super(code.name());
            this.code = code;
        }

        ErrorCode code() {
            return code;
        }
    }

    private final List<@Nullable Object> row;

    ReferenceEvaluator(List<@Nullable Object> row) {
        this.row = row;
    }

    @Nullable Object evaluate(Expression e) {
        return switch (e) {
            case Expression.Column column -> row.get(column.index());
            case Expression.Literal literal -> literal(literal);
            case Expression.Call call -> call(call);
            case Expression.Cast cast -> cast(cast);
            case Expression.Case choice -> {
                for (Expression.Branch branch : choice.branches()) {
                    if (Boolean.TRUE.equals(evaluate(branch.when()))) {
                        yield evaluate(branch.then());
                    }
                }
                yield evaluate(choice.otherwise());
            }
            case Expression.In in -> {
                Object value = evaluate(in.argument());
                yield value == null
                        ? null
                        : in.values().stream()
                                .anyMatch(l -> compare(value, known(literal(l))) == 0);
            }
        };
    }

    static @Nullable Object literal(Expression.Literal literal) {
        String text = literal.value();
        if (text == null) {
            return null;
        }
        return switch (literal.type()) {
            case ColumnType.Bool _ -> Boolean.valueOf(text);
            case ColumnType.FloatingPoint _ -> Double.valueOf(text);
            case ColumnType.Decimal(int _, int scale) -> new BigDecimal(text).setScale(scale);
            case ColumnType.Utf8 _, ColumnType.Binary _, ColumnType.FixedBinary _ -> text;
            case ColumnType.Int _, ColumnType.Date _, ColumnType.Time _, ColumnType.Timestamp _ ->
                    new BigInteger(text);
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(text);
        };
    }

    private @Nullable Object call(Expression.Call call) {
        List<Expression> a = call.arguments();
        return switch (call.function()) {
            case AND -> junction(a, false);
            case OR -> junction(a, true);
            case IS_NULL -> evaluate(a.getFirst()) == null;
            case IS_NOT_NULL -> evaluate(a.getFirst()) != null;
            case IS_TRUE -> Boolean.TRUE.equals(evaluate(a.getFirst()));
            case IS_FALSE -> Boolean.FALSE.equals(evaluate(a.getFirst()));
            case IS_NOT_TRUE -> !Boolean.TRUE.equals(evaluate(a.getFirst()));
            case IS_NOT_FALSE -> !Boolean.FALSE.equals(evaluate(a.getFirst()));
            case IS_DISTINCT_FROM -> !same(evaluate(a.get(0)), evaluate(a.get(1)));
            case IS_NOT_DISTINCT_FROM -> same(evaluate(a.get(0)), evaluate(a.get(1)));
            default -> {
                List<@Nullable Object> values = new ArrayList<>();
                a.forEach(e -> values.add(evaluate(e)));
                yield values.contains(null) ? null : strict(call, values);
            }
        };
    }

    /** Stops at the first operand with the decisive value. */
    private @Nullable Boolean junction(List<Expression> operands, boolean decisive) {
        boolean unknown = false;
        for (Expression operand : operands) {
            Object value = evaluate(operand);
            if (value == null) {
                unknown = true;
            } else if ((Boolean) value == decisive) {
                return decisive;
            }
        }
        return unknown ? null : !decisive;
    }

    private static boolean same(@Nullable Object x, @Nullable Object y) {
        return (x == null || y == null) ? Objects.equals(x, y) : compare(x, y) == 0;
    }

    private static Object strict(Expression.Call call, List<@Nullable Object> v) {
        Object x = known(v.getFirst());
        return switch (call.function()) {
            case NOT -> !(Boolean) x;
            case EQUAL -> compare(x, known(v.get(1))) == 0;
            case NOT_EQUAL -> compare(x, known(v.get(1))) != 0;
            case LESS -> compare(x, known(v.get(1))) < 0;
            case LESS_OR_EQUAL -> compare(x, known(v.get(1))) <= 0;
            case GREATER -> compare(x, known(v.get(1))) > 0;
            case GREATER_OR_EQUAL -> compare(x, known(v.get(1))) >= 0;
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER -> arithmetic(call, x, known(v.get(1)));
            case NEGATE ->
                    switch (x) {
                        case Double d -> -d;
                        case BigDecimal d -> fit(d.negate(), call.type());
                        default -> fit(((BigInteger) x).negate(), call.type());
                    };
            case ABS ->
                    switch (x) {
                        case Double d -> Math.abs(d);
                        case BigDecimal d -> fit(d.abs(), call.type());
                        default -> fit(((BigInteger) x).abs(), call.type());
                    };
            case FLOOR ->
                    x instanceof Double d
                            ? Math.floor(d)
                            : fit(((BigDecimal) x).setScale(0, RoundingMode.FLOOR), call.type());
            case CEIL ->
                    x instanceof Double d
                            ? Math.ceil(d)
                            : fit(((BigDecimal) x).setScale(0, RoundingMode.CEILING), call.type());
            case ROUND -> round(call, x, ((BigInteger) known(v.get(1))).intValue());
            case UPPER -> mapped((String) x, Character::toUpperCase);
            case LOWER -> mapped((String) x, Character::toLowerCase);
            case TRIM -> ((String) x).replaceAll("^ +| +$", "");
            case LTRIM -> ((String) x).replaceAll("^ +", "");
            case RTRIM -> ((String) x).replaceAll(" +$", "");
            case CHAR_LENGTH -> BigInteger.valueOf(((String) x).codePoints().count());
            case SUBSTRING -> substring((String) x, v);
            case CONCAT -> v.stream().map(String.class::cast).collect(Collectors.joining());
            case POSITION -> {
                int at = ((String) x).indexOf((String) known(v.get(1)));
                yield BigInteger.valueOf(at < 0 ? 0 : ((String) x).codePointCount(0, at) + 1);
            }
            case REPLACE ->
                    known(v.get(1)).equals("")
                            ? x
                            : ((String) x)
                                    .replace((String) known(v.get(1)), (String) known(v.get(2)));
            case LIKE ->
                    like((String) known(v.get(1)), v.size() > 2 ? (String) known(v.get(2)) : "")
                            .matcher((String) x)
                            .matches();
            case EXTRACT_YEAR,
                    EXTRACT_QUARTER,
                    EXTRACT_MONTH,
                    EXTRACT_DAY,
                    EXTRACT_DAY_OF_WEEK,
                    EXTRACT_DAY_OF_YEAR,
                    EXTRACT_HOUR,
                    EXTRACT_MINUTE,
                    EXTRACT_SECOND ->
                    BigInteger.valueOf(extract(call, (BigInteger) x));
            default -> throw new IllegalArgumentException(call.function().name());
        };
    }

    private static Object known(@Nullable Object value) {
        return Objects.requireNonNull(value);
    }

    private static String mapped(String text, IntUnaryOperator map) {
        int[] points = text.codePoints().map(map).toArray();
        return new String(points, 0, points.length);
    }

    private static String substring(String text, List<@Nullable Object> v) {
        int[] points = text.codePoints().toArray();
        long from = ((BigInteger) known(v.get(1))).longValue();
        long to =
                v.size() > 2
                        ? from + Math.max(0, ((BigInteger) known(v.get(2))).longValue())
                        : Long.MAX_VALUE;
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < points.length; i++) {
            if (i + 1 >= from && i + 1 < to) {
                out.appendCodePoint(points[i]);
            }
        }
        return out.toString();
    }

    private static Pattern like(String pattern, String escape) {
        StringBuilder regex = new StringBuilder();
        int[] points = pattern.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            String c = Character.toString(points[i]);
            if (c.equals(escape)) {
                regex.append(Pattern.quote(Character.toString(points[++i])));
            } else if (c.equals("%")) {
                regex.append(".*");
            } else if (c.equals("_")) {
                regex.append('.');
            } else {
                regex.append(Pattern.quote(c));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private static Object arithmetic(Expression.Call call, Object x, Object y) {
        Function f = call.function();
        if (x instanceof Double a && y instanceof Double b) {
            double result =
                    switch (f) {
                        case ADD -> a + b;
                        case SUBTRACT -> a - b;
                        case MULTIPLY -> a * b;
                        case DIVIDE -> a / b;
                        default -> a % b;
                    };
            return call.type().equals(new ColumnType.FloatingPoint(32))
                    ? (double) (float) result
                    : result;
        }
        boolean zero = y instanceof BigInteger i ? i.signum() == 0 : ((BigDecimal) y).signum() == 0;
        if (zero && (f == Function.DIVIDE || f == Function.REMAINDER)) {
            throw new Raised(ErrorCode.DIVISION_BY_ZERO);
        }
        if (x instanceof BigInteger a && y instanceof BigInteger b) {
            return fit(
                    switch (f) {
                        case ADD -> a.add(b);
                        case SUBTRACT -> a.subtract(b);
                        case MULTIPLY -> a.multiply(b);
                        case DIVIDE -> a.divide(b);
                        default -> a.remainder(b);
                    },
                    call.type());
        }
        BigDecimal a = (BigDecimal) x;
        BigDecimal b = (BigDecimal) y;
        int scale = ((ColumnType.Decimal) call.type()).scale();
        return fit(
                switch (f) {
                    case ADD -> a.add(b);
                    case SUBTRACT -> a.subtract(b);
                    case MULTIPLY -> a.multiply(b);
                    case DIVIDE -> a.divide(b, scale, RoundingMode.HALF_UP);
                    default -> a.remainder(b);
                },
                call.type());
    }

    private static Object round(Expression.Call call, Object x, int digits) {
        return switch (x) {
            case Double d -> FloatMath.round(d, digits);
            case BigDecimal d ->
                    fit(d.setScale(Math.min(digits, d.scale()), RoundingMode.HALF_UP), call.type());
            default ->
                    fit(
                            new BigDecimal((BigInteger) x)
                                    .setScale(Math.min(digits, 0), RoundingMode.HALF_UP)
                                    .toBigInteger(),
                            call.type());
        };
    }

    private static BigInteger fit(BigInteger value, ColumnType type) {
        return inRange(value, type, ErrorCode.ARITHMETIC_OVERFLOW);
    }

    private static BigInteger inRange(BigInteger value, ColumnType type, ErrorCode otherwise) {
        int bits = type instanceof ColumnType.Int(int b, boolean _) ? b : 64;
        boolean signed = !(type instanceof ColumnType.Int(int _, boolean s)) || s;
        BigInteger max = BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits);
        BigInteger min = signed ? max.negate() : BigInteger.ZERO;
        if (value.compareTo(min) < 0 || value.compareTo(max) >= 0) {
            throw new Raised(otherwise);
        }
        return value;
    }

    private static BigDecimal fit(BigDecimal value, ColumnType type) {
        return inRange(value, type, ErrorCode.ARITHMETIC_OVERFLOW);
    }

    private static BigDecimal inRange(BigDecimal value, ColumnType type, ErrorCode otherwise) {
        ColumnType.Decimal decimal = (ColumnType.Decimal) type;
        BigDecimal rounded = value.setScale(decimal.scale(), RoundingMode.HALF_UP);
        if (rounded.unscaledValue().abs().compareTo(BigInteger.TEN.pow(decimal.precision())) >= 0) {
            throw new Raised(otherwise);
        }
        return rounded;
    }

    private static long extract(Expression.Call call, BigInteger value) {
        ColumnType type = call.arguments().getFirst().type();
        long perSecond =
                type instanceof ColumnType.Timestamp(var unit, boolean _) ? unit.perSecond() : 1;
        long seconds =
                type instanceof ColumnType.Date
                        ? value.longValue() * 86_400
                        : Math.floorDiv(value.longValue(), perSecond);
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, 86_400));
        int ofDay = Math.floorMod(seconds, 86_400);
        return switch (call.function()) {
            case EXTRACT_YEAR -> date.getYear();
            case EXTRACT_QUARTER -> date.get(IsoFields.QUARTER_OF_YEAR);
            case EXTRACT_MONTH -> date.getMonthValue();
            case EXTRACT_DAY -> date.getDayOfMonth();
            case EXTRACT_DAY_OF_WEEK -> date.get(ChronoField.DAY_OF_WEEK) % 7;
            case EXTRACT_DAY_OF_YEAR -> date.getDayOfYear();
            case EXTRACT_HOUR -> ofDay / 3600;
            case EXTRACT_MINUTE -> ofDay / 60 % 60;
            default -> ofDay % 60;
        };
    }

    private @Nullable Object cast(Expression.Cast cast) {
        Object value = evaluate(cast.argument());
        if (value == null) {
            return null;
        }
        try {
            return converted(value, cast.type());
        } catch (Raised | NumberFormatException e) {
            if (cast.safe()) {
                return null;
            }
            throw new Raised(ErrorCode.INVALID_CAST);
        }
    }

    private static Object converted(Object value, ColumnType to) {
        ErrorCode code = ErrorCode.INVALID_CAST;
        return switch (to) {
            case ColumnType.Bool _ ->
                    switch (value) {
                        case BigInteger i -> i.signum() != 0;
                        case Double d -> d != 0;
                        default -> ((BigDecimal) value).signum() != 0;
                    };
            case ColumnType.Int _ ->
                    inRange(
                            switch (value) {
                                case Boolean b -> b ? BigInteger.ONE : BigInteger.ZERO;
                                case BigInteger i -> i;
                                case Double d ->
                                        new BigDecimal(d)
                                                .setScale(0, RoundingMode.HALF_EVEN)
                                                .toBigInteger();
                                case BigDecimal d ->
                                        d.setScale(0, RoundingMode.HALF_UP).toBigInteger();
                                default -> new BigInteger(((String) value).strip());
                            },
                            to,
                            code);
            case ColumnType.FloatingPoint _ ->
                    switch (value) {
                        case Boolean b -> b ? 1.0 : 0.0;
                        case BigInteger i -> new BigDecimal(i).doubleValue();
                        case BigDecimal d -> d.doubleValue();
                        default -> Double.valueOf(((String) value).strip());
                    };
            case ColumnType.Decimal _ ->
                    inRange(
                            switch (value) {
                                case BigInteger i -> new BigDecimal(i);
                                case Double d -> new BigDecimal(d);
                                case BigDecimal d -> d;
                                default -> new BigDecimal(((String) value).strip());
                            },
                            to,
                            code);
            case ColumnType.Utf8 _ ->
                    value instanceof BigDecimal d ? d.toPlainString() : value.toString();
            case ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(to.toString());
        };
    }

    static int compare(Object x, Object y) {
        return switch (x) {
            case Boolean b -> b.compareTo((Boolean) y);
            case BigInteger i -> i.compareTo((BigInteger) y);
            case Double d -> Double.compare(d + 0.0, (Double) y + 0.0);
            case BigDecimal d -> d.compareTo((BigDecimal) y);
            default -> BY_CODE_POINT.compare((String) x, (String) y);
        };
    }

    private static final Comparator<String> BY_CODE_POINT =
            (x, y) -> Arrays.compare(x.codePoints().toArray(), y.codePoints().toArray());
}
