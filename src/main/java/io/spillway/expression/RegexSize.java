package io.spillway.expression;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How large the program of a regular expression becomes, told from its text: counted repetitions,
 * which may stand in each other, multiply what they repeat. A bound rather than the size itself:
 * what is malformed is for the parser to tell.
 */
final class RegexSize {

    private static final long MOST = 1L << 40;

    private final String pattern;

    /** Sizes of the groups around the current one. */
    private final Deque<Long> outer = new ArrayDeque<>();

    private int at;
    private int depth;
    private long size;

    /** Size of what a repetition would repeat. */
    private long last;

    private RegexSize(String pattern) {
        this.pattern = pattern;
    }

    /** A bound on the number of the program's instructions. */
    static long of(String pattern) {
        return measured(pattern).size;
    }

    /** How deep brackets stand in each other. */
    static int depth(String pattern) {
        return measured(pattern).depth;
    }

    private static RegexSize measured(String pattern) {
        RegexSize result = new RegexSize(pattern);
        result.measure();
        return result;
    }

    private void measure() {
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            switch (c) {
                case '\\' -> escape();
                case '[' -> characters();
                case '(' -> {
                    outer.push(size);
                    depth = Math.max(depth, outer.size());
                    size = 2;
                    last = 0;
                }
                case ')' -> {
                    last = size;
                    size = Math.min(MOST, (outer.isEmpty() ? 0 : outer.pop()) + last);
                }
                case '{' -> repetition();
                case '*', '+', '?' -> {
                    last++;
                    size++;
                }
                default -> atom(1);
            }
        }
        while (!outer.isEmpty()) {
            size = Math.min(MOST, size + outer.pop());
        }
    }

    private void atom(long instructions) {
        last = instructions;
        size = Math.min(MOST, size + instructions);
    }

    private void escape() {
        char c = at < pattern.length() ? pattern.charAt(at++) : '\\';
        boolean named = c == 'p' || c == 'P' || c == 'x';
        if (c == 'Q') {
            int end = pattern.indexOf("\\E", at);
            int stop = end < 0 ? pattern.length() : end;
            size = Math.min(MOST, size + stop - at);
            at = end < 0 ? stop : stop + 2;
            last = 1;
            return;
        }
        if (named && at < pattern.length() && pattern.charAt(at) == '{') {
            int end = pattern.indexOf('}', at);
            at = end < 0 ? pattern.length() : end + 1;
        }
        atom(1);
    }

    /** A bracketed class: one instruction, whatever stands in it. */
    private void characters() {
        if (at < pattern.length() && pattern.charAt(at) == '^') {
            at++;
        }
        boolean first = true;
        while (at < pattern.length() && (first || pattern.charAt(at) != ']')) {
            first = false;
            if (pattern.charAt(at) == '\\') {
                at++;
            } else if (pattern.startsWith("[:", at)) {
                int end = pattern.indexOf(":]", at + 2);
                at = end < 0 ? at : end + 1;
            }
            at++;
        }
        at++;
        atom(1);
    }

    /** {@code {n}}, <code>{n,}</code> or {@code {n,m}}; anything else in braces is literal. */
    private void repetition() {
        int end = pattern.indexOf('}', at);
        long times = end < 0 ? -1 : times(pattern.substring(at, end));
        if (times < 0) {
            atom(1);
            return;
        }
        at = end + 1;
        long repeated = Math.min(MOST, Math.max(last, 1) * Math.max(times, 1));
        size = Math.min(MOST, size - last + repeated);
        last = repeated;
    }

    private static long times(String counts) {
        if (!counts.matches("[0-9]{1,6}(,[0-9]{0,6})?")) {
            return -1;
        }
        int comma = counts.indexOf(',');
        if (comma < 0) {
            return Long.parseLong(counts);
        }
        long least = Long.parseLong(counts.substring(0, comma)) + 1;
        return comma + 1 == counts.length()
                ? least
                : Math.max(least, 2 * Long.parseLong(counts.substring(comma + 1)));
    }
}
