package io.spillway.expression;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * STRPTIME: texts of a pattern as timestamps in microseconds. Fields that the pattern does not have
 * are those of 1900-01-01 at midnight. Names are read in any case; numbers with or without zeros in
 * front; fractions of a second have the digits they have, beyond microseconds they are cut off.
 */
final class PatternParser extends TextParser {

    private static final int PIVOT = 69;
    private static final long MICROS = 1_000_000;

    private final DatePattern pattern;
    private long year;
    private long month;
    private long day;
    private long dayOfYear;
    private long hour;
    private long minute;
    private long second;
    private long micros;
    private boolean afternoon;
    private boolean halves;

    PatternParser(DatePattern pattern) {
        this.pattern = pattern;
    }

    /** Whether texts can be read by the field: weeks alone tell no date. */
    static boolean reads(char letter) {
        return "GVwu".indexOf(letter) < 0;
    }

    @Override
    boolean parse(TextScanner text) {
        year = 1900;
        month = 1;
        day = 1;
        dayOfYear = 0;
        hour = 0;
        minute = 0;
        second = 0;
        micros = 0;
        afternoon = false;
        halves = false;
        for (DatePattern.Part part : pattern.parts()) {
            boolean read =
                    switch (part) {
                        case DatePattern.Text(String literal) -> literal(text, literal);
                        case DatePattern.Field(char letter, boolean _) -> field(text, letter);
                    };
            if (!read) {
                return false;
            }
        }
        return text.atEnd() && moment();
    }

    private static boolean literal(TextScanner text, String literal) {
        for (byte b : literal.getBytes(StandardCharsets.UTF_8)) {
            if (text.peek() != b) {
                return false;
            }
            text.moveTo(text.position() + 1);
        }
        return true;
    }

    private boolean field(TextScanner text, char letter) {
        return switch (letter) {
            case 'Y' -> {
                boolean negative = text.negative();
                long number = text.number(1, 4);
                year = negative ? -number : number;
                yield number >= 0;
            }
            case 'y' -> {
                long number = text.number(2, 2);
                year = number < PIVOT ? 2000 + number : 1900 + number;
                yield number >= 0;
            }
            case 'm' -> {
                month = text.number(1, 2);
                yield month >= 1 && month <= 12;
            }
            case 'b', 'B' -> {
                month = 1L + name(text, DatePattern.MONTHS, letter == 'b');
                yield month >= 1;
            }
            case 'd' -> {
                day = text.number(1, 2);
                yield day >= 1;
            }
            case 'j' -> {
                dayOfYear = text.number(1, 3);
                yield dayOfYear >= 1;
            }
            case 'a', 'A' -> name(text, DatePattern.DAYS, letter == 'a') >= 0;
            case 'H' -> {
                hour = text.number(1, 2);
                yield hour >= 0 && hour <= 23;
            }
            case 'I' -> {
                hour = text.number(1, 2);
                halves = true;
                yield hour >= 1 && hour <= 12;
            }
            case 'p' -> {
                afternoon = text.peek() == 'P' || text.peek() == 'p';
                boolean half = afternoon || text.accept('A') || text.accept('a');
                if (afternoon) {
                    text.moveTo(text.position() + 1);
                }
                yield half && (text.accept('M') || text.accept('m'));
            }
            case 'M' -> {
                minute = text.number(1, 2);
                yield minute >= 0 && minute <= 59;
            }
            case 'S' -> {
                second = text.number(1, 2);
                yield second >= 0 && second <= 59;
            }
            case 'g' -> fraction(text, 3);
            case 'f' -> fraction(text, 6);
            case 'n' -> fraction(text, 9);
            default -> throw new IllegalStateException(letter + " is not read");
        };
    }

    private boolean fraction(TextScanner text, int most) {
        int start = text.position();
        micros = text.number(1, most);
        int digits = text.position() - start;
        for (; digits < 6; digits++) {
            micros *= 10;
        }
        for (; digits > 6; digits--) {
            micros /= 10;
        }
        return micros >= 0;
    }

    /** The place in a list of the name that stands here, or -1. */
    private static int name(TextScanner text, List<String> names, boolean brief) {
        for (int i = 0; i < names.size(); i++) {
            String name = brief ? names.get(i).substring(0, 3) : names.get(i);
            int start = text.position();
            int at = 0;
            while (at < name.length()
                    && (text.accept(name.charAt(at))
                            || text.accept((char) (name.charAt(at) ^ 0x20)))) {
                at++;
            }
            if (at == name.length()) {
                return i;
            }
            text.moveTo(start);
        }
        return -1;
    }

    private boolean moment() {
        if (day > Civil.daysOf(year, (int) month) || dayOfYear > (Civil.isLeap(year) ? 366 : 365)) {
            return false;
        }
        long date =
                dayOfYear > 0
                        ? Civil.epochDay(year, 1, 1) + dayOfYear - 1
                        : Civil.epochDay(year, (int) month, (int) day);
        long hours = halves ? hour % 12 + (afternoon ? 12 : 0) : hour;
        long seconds = date * Civil.SECONDS_PER_DAY + hours * 3600 + minute * 60 + second;
        long high = Math.multiplyHigh(seconds, MICROS);
        long value = seconds * MICROS + micros;
        return high == value >> 63 && found(value);
    }
}
