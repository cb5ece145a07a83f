package io.spillway.scan.ndjson;

import io.spillway.scan.text.TypeEvidence;
import tools.jackson.core.JsonParser;

/** What a JSON number may be a value of. */
final class JsonNumbers {

    private JsonNumbers() {}

    /** A number without point and exponent. */
    static void integer(JsonParser parser, TypeEvidence evidence) {
        boolean fits = parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        if (!fits) {
            String text = parser.getString();
            evidence.integer(text.startsWith("-") ? text.length() - 1 : text.length(), false);
            return;
        }
        long value = parser.getLongValue();
        if (value == 0 && parser.getStringLength() > 1) {
            // Minus zero, which no integer is.
            evidence.fraction(0, 0, false);
        } else {
            evidence.integer(digits(value), true);
        }
    }

    private static int digits(long value) {
        long rest = value == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(value);
        int digits = 0;
        for (; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /** A number with a point or an exponent. */
    static void fraction(JsonParser parser, TypeEvidence evidence) {
        char[] text = parser.getStringCharacters();
        int at = parser.getStringOffset();
        int end = at + parser.getStringLength();
        if (text[at] == '-') {
            at++;
        }
        int start = at;
        while (at < end && isDigit(text[at])) {
            at++;
        }
        int whole = text[start] == '0' ? 0 : at - start;
        int places = 0;
        if (at < end && text[at] == '.') {
            at++;
            while (at < end && isDigit(text[at])) {
                at++;
                places++;
            }
        }
        boolean scientific = at < end;
        if ((scientific || whole > 300) && Double.isInfinite(parser.getDoubleValue())) {
            evidence.text();
        } else {
            evidence.fraction(whole, places, scientific);
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
