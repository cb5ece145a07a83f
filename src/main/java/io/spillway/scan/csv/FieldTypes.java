package io.spillway.scan.csv;

import io.spillway.batch.OffHeap;
import io.spillway.scan.text.TypeEvidence;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.Locale;

/**
 * What a field's text may be a value of, narrowly: only what means the same when it is read as that
 * type. So {@code 007} and {@code +5} are texts, and so is a date that does not exist. Blanks
 * around numbers do not count.
 */
final class FieldTypes {

    /** Integers of so many digits fit 64 bits. */
    private static final int SAFE_DIGITS = 18;

    private static final int LONG_DIGITS = 19;
    private static final int DATE_LENGTH = 10;
    private static final int MOST_SECOND_DIGITS = 9;

    /** Numbers so long are not computed with. */
    private static final int MOST_LENGTH = 400;

    private static final String LARGEST = "9223372036854775807";
    private static final String SMALLEST = "9223372036854775808";

    private long at;
    private long end;

    /** Tells what a field's text may be; it is neither NULL nor escaped. */
    void add(long address, int length, TypeEvidence evidence) {
        at = address;
        end = address + length;
        trim();
        if (at == end || end - at > MOST_LENGTH || !isValue(evidence)) {
            evidence.text();
        }
    }

    private void trim() {
        while (at < end && isBlank(OffHeap.getByte(at))) {
            at++;
        }
        while (end > at && isBlank(OffHeap.getByte(end - 1))) {
            end--;
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private boolean isValue(TypeEvidence evidence) {
        byte first = OffHeap.getByte(at);
        if (isDigit(first) || first == '-' || first == '.') {
            return isNumber(first == '-', evidence) || isTime(evidence);
        }
        return isWord(first, evidence);
    }

    private boolean isWord(byte first, TypeEvidence evidence) {
        switch (first) {
            case 't', 'T', 'f', 'F' -> {
                String word = word();
                if (word.equalsIgnoreCase("true") || word.equalsIgnoreCase("false")) {
                    evidence.bool();
                    return true;
                }
            }
            case 'N', 'I' -> {
                String word = word();
                if (word.equals("NaN") || word.equals("Infinity")) {
                    evidence.fraction(0, 0, true);
                    return true;
                }
            }
            default -> {}
        }
        return false;
    }

    private String word() {
        int length = (int) Math.min(end - at, 9);
        byte[] bytes = new byte[length];
        OffHeap.read(at, bytes, 0, length);
        return length < end - at ? "" : new String(bytes, StandardCharsets.US_ASCII);
    }

    private boolean isNumber(boolean negative, TypeEvidence evidence) {
        long p = negative ? at + 1 : at;
        long digits = p;
        while (p < end && isDigit(OffHeap.getByte(p))) {
            p++;
        }
        int whole = (int) (p - digits);
        boolean zero = whole > 0 && OffHeap.getByte(digits) == '0';
        if (zero && whole > 1) {
            return false;
        }
        if (p == end) {
            if (whole == 0) {
                return false;
            }
            if (zero && negative) {
                evidence.fraction(0, 0, false);
            } else {
                evidence.integer(zero ? 0 : whole, fits(digits, whole, negative));
            }
            return true;
        }
        byte next = OffHeap.getByte(p);
        if (next != '.' && next != 'e' && next != 'E') {
            return negative && whole == 0 && isInfinity(evidence);
        }
        return isFraction(p, zero ? 0 : whole, whole > 0, evidence);
    }

    private boolean isInfinity(TypeEvidence evidence) {
        at++;
        boolean infinity = word().equals("Infinity");
        at--;
        if (infinity) {
            evidence.fraction(0, 0, true);
        }
        return infinity;
    }

    /** What stands from a point or an exponent on. */
    private boolean isFraction(long from, int whole, boolean begun, TypeEvidence evidence) {
        long p = from;
        int places = 0;
        if (OffHeap.getByte(p) == '.') {
            p++;
            while (p < end && isDigit(OffHeap.getByte(p))) {
                p++;
                places++;
            }
        }
        if (!begun && places == 0) {
            return false;
        }
        boolean scientific = p < end;
        if (scientific) {
            if ((OffHeap.getByte(p) | 0x20) != 'e') {
                return false;
            }
            p++;
            if (p < end && (OffHeap.getByte(p) == '-' || OffHeap.getByte(p) == '+')) {
                p++;
            }
            if (p == end) {
                return false;
            }
            while (p < end && isDigit(OffHeap.getByte(p))) {
                p++;
            }
            if (p < end) {
                return false;
            }
        }
        if ((scientific || whole > 300) && Double.isInfinite(Double.parseDouble(text()))) {
            return false;
        }
        evidence.fraction(whole, places, scientific);
        return true;
    }

    private String text() {
        int length = (int) (end - at);
        byte[] bytes = new byte[length];
        OffHeap.read(at, bytes, 0, length);
        return new String(bytes, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    }

    private static boolean fits(long digits, int count, boolean negative) {
        if (count <= SAFE_DIGITS) {
            return true;
        }
        if (count > LONG_DIGITS) {
            return false;
        }
        String most = negative ? SMALLEST : LARGEST;
        for (int i = 0; i < LONG_DIGITS; i++) {
            int difference = OffHeap.getByte(digits + i) - most.charAt(i);
            if (difference != 0) {
                return difference < 0;
            }
        }
        return true;
    }

    /** {@code 2026-03-08}, {@code 2026-03-08 02:30:00.123}, {@code 2026-03-08T02:30Z}. */
    private boolean isTime(TypeEvidence evidence) {
        if (end - at < DATE_LENGTH
                || OffHeap.getByte(at + 4) != '-'
                || OffHeap.getByte(at + 7) != '-') {
            return false;
        }
        int year = number(at, 4);
        int month = number(at + 5, 2);
        int day = number(at + 8, 2);
        if (year < 0
                || month < 1
                || month > 12
                || day < 1
                || (day > 28 && day > YearMonth.of(year, month).lengthOfMonth())) {
            return false;
        }
        long p = at + DATE_LENGTH;
        if (p == end) {
            evidence.date(year);
            return true;
        }
        byte separator = OffHeap.getByte(p++);
        if (separator != 'T' && separator != ' ') {
            return false;
        }
        if (!isBelow(p, 24) || !isColon(p + 2) || !isBelow(p + 3, 60)) {
            return false;
        }
        p += 5;
        int digits = 0;
        if (isColon(p)) {
            if (!isBelow(p + 1, 60)) {
                return false;
            }
            p += 3;
            if (p < end && OffHeap.getByte(p) == '.') {
                p++;
                while (p < end && isDigit(OffHeap.getByte(p))) {
                    p++;
                    digits++;
                }
                if (digits == 0 || digits > MOST_SECOND_DIGITS) {
                    return false;
                }
            }
        }
        boolean offset = p < end;
        if (offset && !isOffset(p)) {
            return false;
        }
        evidence.timestamp(year, digits, offset);
        return true;
    }

    private boolean isOffset(long p) {
        byte sign = OffHeap.getByte(p);
        if (sign == 'Z') {
            return p + 1 == end;
        }
        return (sign == '+' || sign == '-')
                && isBelow(p + 1, 19)
                && isColon(p + 3)
                && isBelow(p + 4, 60)
                && p + 6 == end;
    }

    private boolean isColon(long p) {
        return p < end && OffHeap.getByte(p) == ':';
    }

    private boolean isBelow(long p, int bound) {
        if (p + 2 > end) {
            return false;
        }
        int number = number(p, 2);
        return number >= 0 && number < bound;
    }

    /** A number of digits, or -1. */
    private static int number(long p, int digits) {
        int number = 0;
        for (int i = 0; i < digits; i++) {
            byte b = OffHeap.getByte(p + i);
            if (!isDigit(b)) {
                return -1;
            }
            number = 10 * number + b - '0';
        }
        return number;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
