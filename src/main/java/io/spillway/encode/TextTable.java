package io.spillway.encode;

import java.util.Arrays;

/**
 * Texts by number, made one by one as they are first met. It grows as far as a budget that it
 * shares with others allows, and at most to a size of its own.
 */
final class TextTable {

    /** In place of a span whose text is under way. */
    private static final long UNDER_WAY = -1;

    private static final int LEAST_CAPACITY = 1 << 10;

    private final TextBudget budget;
    private final long mostBytes;
    private TextBuffer texts = new TextBuffer(0);

    /** By number. A span of 0 has not been made. */
    private long[] spans = new long[0];

    private long held;

    TextTable(TextBudget budget, long mostBytes) {
        this.budget = budget;
        this.mostBytes = mostBytes;
    }

    /** What the spans point into; with {@link TextBuffer#SLACK}. */
    byte[] bytes() {
        return texts.bytes;
    }

    /**
     * Forgets all texts, and makes room for other numbers.
     *
     * @param numbers how many, from 0 on
     * @return false if there is no room for them; the table is dropped then
     */
    boolean begin(int numbers) {
        // No text begins at 0: one that is empty would look as if it had not been made.
        texts.end = 1;
        if (numbers <= spans.length) {
            Arrays.fill(spans, 0, numbers, 0);
            return true;
        }
        if (!take((long) (numbers - spans.length) * Long.BYTES)) {
            drop();
            return false;
        }
        spans = new long[numbers];
        return true;
    }

    /**
     * Looks texts up.
     *
     * @param result filled with their places; 0 for what has not been made
     * @return whether all of them have been made
     */
    boolean find(int[] numbers, int count, long[] result) {
        long[] made = spans;
        boolean all = true;
        for (int i = 0; i < count; i++) {
            long span = made[numbers[i]];
            result[i] = span;
            all &= span != 0;
        }
        return all;
    }

    /** The place of a text; 0 if it has not been made. */
    long span(int number) {
        return spans[number];
    }

    /** Takes note that a text is going to be made. */
    void announce(int number) {
        spans[number] = UNDER_WAY;
    }

    /**
     * Begins a text; its parts are appended next.
     *
     * @param length bytes of all its parts
     * @return false if there is no room for it
     */
    boolean open(int number, int length) {
        if (!reserve(length)) {
            return false;
        }
        spans[number] = Spans.of(texts.end, texts.end + length);
        return true;
    }

    /** Appends a part of the text that was begun last; {@code source} has slack. */
    void append(byte[] source, int from, int length) {
        texts.appendShort(source, from, length);
    }

    private boolean reserve(int more) {
        int capacity = texts.capacity();
        if (texts.end + more <= capacity) {
            return true;
        }
        int grown = Math.max(texts.end + more, Math.max(LEAST_CAPACITY, 2 * capacity));
        if (!take(grown - capacity)) {
            return false;
        }
        texts.reserve(grown - texts.end);
        return true;
    }

    private boolean take(long bytes) {
        if (held + bytes > mostBytes || !budget.take(bytes)) {
            return false;
        }
        held += bytes;
        return true;
    }

    /** Forgets all texts, and gives back what they took. */
    void drop() {
        budget.giveBack(held);
        held = 0;
        texts = new TextBuffer(0);
        spans = new long[0];
    }
}
