package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The functions of regular expressions, whose patterns are constants. */
final class RegexKernels {

    private static final ColumnType TEXT = new ColumnType.Utf8();

    private RegexKernels() {}

    /** REGEXP_LIKE. */
    static Condition like(List<Expression> arguments, Value text) {
        check(Function.REGEXP_LIKE, text);
        String pattern = ConstantText.of(arguments.get(1), "The pattern of REGEXP_LIKE");
        if (pattern == null) {
            return new ConstantCondition(null);
        }
        Regex regex = Regex.compile(pattern);
        return new TestCondition(
                text,
                BytesTests.bytes(
                        (address, length) -> {
                            regex.reset(address, length);
                            return regex.find();
                        }));
    }

    /** REGEXP_EXTRACT and REGEXP_REPLACE. */
    static Value of(Expression.Call call, Value text) {
        Function function = call.function();
        check(function, text);
        List<Expression> arguments = call.arguments();
        String pattern = ConstantText.of(arguments.get(1), "The pattern of " + function);
        if (pattern == null) {
            return nothing();
        }
        Regex regex = Regex.compile(pattern);
        if (function == Function.REGEXP_REPLACE) {
            String replacement =
                    ConstantText.of(arguments.get(2), "The replacement of " + function);
            return replacement == null
                    ? nothing()
                    : new TextValue(RegexReplacement.of(regex, replacement), List.of(text));
        }
        Integer group = arguments.size() == 2 ? Integer.valueOf(0) : group(arguments.get(2));
        if (group == null) {
            return nothing();
        }
        if (group < 0 || group > regex.groups()) {
            throw Regex.invalid(
                    "The regular expression '%s' has the groups 0 to %d, but no group %d"
                            .formatted(pattern, regex.groups(), group));
        }
        return new TextValue((a, out) -> extract(regex, group, a, out), List.of(text));
    }

    private static void extract(Regex regex, int group, TextArguments a, BytesOutput out) {
        regex.reset(a.address(0), a.length(0));
        int start = regex.find() ? regex.start(group) : -1;
        if (start < 0) {
            out.endNull();
        } else {
            int from = regex.offset(start);
            out.append(a.address(0) + from, regex.offset(regex.end(group)) - from);
        }
    }

    private static Value nothing() {
        return new ConstantValue(TEXT, new Constant.Null());
    }

    private static void check(Function function, Value text) {
        if (!(text.type() instanceof ColumnType.Utf8)) {
            throw Failures.unsupported("%s of %s".formatted(function, text.type()));
        }
    }

    private static @Nullable Integer group(Expression expression) {
        if (!(ColumnUse.of(expression) instanceof ColumnUse.None)
                || !expression.type().equals(new ColumnType.Int(32, true))) {
            throw Failures.unsupported("The group of REGEXP_EXTRACT must be a constant int32");
        }
        return Literals.parse(ExpressionCompiler.constant(expression))
                        instanceof Constant.Fixed fixed
                ? (int) fixed.low()
                : null;
    }
}
