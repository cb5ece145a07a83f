package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.Arrays;
import java.util.List;

/** The text functions. Positions and lengths count code points. */
final class TextKernels {

    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final ColumnType INT = new ColumnType.Int(32, true);

    private TextKernels() {}

    static Value of(Expression.Call call, List<Value> arguments) {
        Function function = call.function();
        ColumnType[] types =
                switch (function) {
                    case SUBSTRING -> new ColumnType[] {TEXT, INT, INT};
                    case CONCAT -> {
                        ColumnType[] texts = new ColumnType[arguments.size()];
                        Arrays.fill(texts, TEXT);
                        yield texts;
                    }
                    case REPLACE -> new ColumnType[] {TEXT, TEXT, TEXT};
                    case POSITION -> new ColumnType[] {TEXT, TEXT};
                    case TRIM, LTRIM, RTRIM -> new ColumnType[] {TEXT, TEXT};
                    case LEFT, RIGHT, REPEAT -> new ColumnType[] {TEXT, INT};
                    case LPAD, RPAD -> new ColumnType[] {TEXT, INT, TEXT};
                    case SPLIT_PART -> new ColumnType[] {TEXT, TEXT, INT};
                    default -> new ColumnType[] {TEXT};
                };
        TextArguments.check(function, arguments, types);
        return switch (function) {
            case UPPER -> new TextValue(new CaseMapping(true), arguments);
            case LOWER -> new TextValue(new CaseMapping(false), arguments);
            case TRIM -> new TextValue(new Trimming(true, true), arguments);
            case LTRIM -> new TextValue(new Trimming(true, false), arguments);
            case RTRIM -> new TextValue(new Trimming(false, true), arguments);
            case LEFT -> new TextValue(TextParts::left, arguments);
            case RIGHT -> new TextValue(TextParts::right, arguments);
            case REVERSE -> new TextValue(TextParts::reverse, arguments);
            case SPLIT_PART -> new TextValue(TextParts::splitPart, arguments);
            case LPAD -> TextValue.raising(TextGrowth::padLeft, arguments);
            case RPAD -> TextValue.raising(TextGrowth::padRight, arguments);
            case REPEAT -> TextValue.raising(TextGrowth::repeat, arguments);
            case MD5 -> new TextValue(new HexDigest("MD5"), arguments);
            case SHA256 -> new TextValue(new HexDigest("SHA-256"), arguments);
            case XXHASH64 -> new TextMeasure(new HashOperator(), arguments, integer(call));
            case OCTET_LENGTH -> new TextMeasure(a -> a.length(0), arguments, integer(call));
            case SUBSTRING -> new TextValue(TextKernels::substring, arguments);
            case CONCAT -> new TextValue(TextKernels::concat, arguments);
            case REPLACE -> new TextValue(TextKernels::replace, arguments);
            case CHAR_LENGTH ->
                    new TextMeasure(
                            a -> Utf8.count(a.address(0), a.length(0)), arguments, integer(call));
            case POSITION -> new TextMeasure(TextKernels::position, arguments, integer(call));
            default -> throw new IllegalArgumentException(function + " is no text function");
        };
    }

    private static ColumnType.Int integer(Expression.Call call) {
        if (call.type() instanceof ColumnType.Int type) {
            return type;
        }
        throw Failures.unsupported(call.function() + " gives no " + call.type());
    }

    private static void substring(TextArguments a, BytesOutput out) {
        long from = a.integer(1);
        long start = a.address(0);
        long end = a.end(0);
        long skipped = Math.max(from, 1) - 1;
        long first = Utf8.skip(start, end, skipped);
        if (a.size() > 2) {
            long left = from + Math.max(a.integer(2), 0) - 1 - skipped;
            end = Utf8.skip(first, end, Math.max(left, 0));
        }
        out.append(first, (int) (end - first));
    }

    private static void concat(TextArguments a, BytesOutput out) {
        for (int i = 0; i < a.size(); i++) {
            out.add(a.address(i), a.length(i));
        }
        out.end(0);
    }

    private static void replace(TextArguments a, BytesOutput out) {
        long at = a.address(0);
        long end = a.end(0);
        int wanted = a.length(1);
        while (wanted > 0) {
            long found = Utf8.find(at, end, a.address(1), wanted);
            if (found < 0) {
                break;
            }
            out.add(at, (int) (found - at));
            out.add(a.address(2), a.length(2));
            at = found + wanted;
        }
        out.add(at, (int) (end - at));
        out.end(0);
    }

    private static long position(TextArguments a) {
        long start = a.address(0);
        long found = Utf8.find(start, a.end(0), a.address(1), a.length(1));
        return found < 0 ? 0 : Utf8.count(start, (int) (found - start)) + 1L;
    }
}
