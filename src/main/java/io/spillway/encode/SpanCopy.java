package io.spillway.encode;

import io.spillway.batch.OffHeap;

/**
 * Copies texts to the ends of the rows under way. Texts are short, and calls or loops that copy a
 * few bytes cost more than the bytes, so texts are copied by whole words, each text of a block by
 * as many as the longest needs. What that writes behind a text's end is overwritten by what comes
 * next in the row – as long as the row goes on for so many bytes. Where it may not, copies are
 * exact, or they would damage the beginning of the next row, which is already there: by words from
 * both ends of the texts if these are long enough, else one by one.
 *
 * <p>Sources have {@link TextBuffer#SLACK} bytes behind their last text.
 */
final class SpanCopy {

    /** Texts of more words are copied one by one. */
    private static final int MOST_WORDS = 10;

    /** The longest texts that are copied by words. */
    static final int LONGEST_BY_WORDS = MOST_WORDS * Long.BYTES;

    /** Keys, and the texts behind them, of more words are copied one by one. */
    private static final int MOST_KEYED_WORDS = 5;

    /** From this length on, the runtime's copy is faster. */
    private static final int LONG_TEXT = 64;

    private SpanCopy() {}

    /**
     * Appends a text to each row.
     *
     * @param shortest length of the shortest text
     * @param longest length of the longest text
     * @param out address of the first row
     * @param ends the rows' ends, from there on; moved
     * @param room bytes that each row has at least from the text's beginning on
     */
    static void append(
            byte[] source,
            long[] spans,
            int shortest,
            int longest,
            int rows,
            long out,
            int[] ends,
            int room) {
        int words = words(longest);
        int head = shortest / Long.BYTES;
        if (words > MOST_WORDS) {
            appendLong(source, spans, rows, out, ends);
        } else if (Math.max(words, 1) * Long.BYTES <= room) {
            appendWords(source, spans, words, rows, out, ends);
        } else if (words <= 2 * head) {
            appendWithin(source, spans, head, words - head, rows, out, ends);
        } else {
            appendLong(source, spans, rows, out, ends);
        }
    }

    private static void appendLong(byte[] source, long[] spans, int rows, long out, int[] ends) {
        for (int r = 0; r < rows; r++) {
            ends[r] = exact(source, Spans.start(spans[r]), Spans.length(spans[r]), out, ends[r]);
        }
    }

    /**
     * Appends texts that are all about as long, and writes nothing behind them: some words counted
     * from the beginning, and the others from the end.
     */
    private static void appendWithin(
            byte[] source, long[] spans, int head, int tail, int rows, long out, int[] ends) {
        for (int r = 0; r < rows; r++) {
            long span = spans[r];
            int from = Spans.start(span);
            int at = ends[r];
            for (int k = 0; k < head; k++) {
                copyWord(source, from + k * Long.BYTES, out, at + k * Long.BYTES);
            }
            int length = Spans.length(span);
            for (int k = 1; k <= tail; k++) {
                int back = length - k * Long.BYTES;
                copyWord(source, from + back, out, at + back);
            }
            ends[r] = at + length;
        }
    }

    /** Appends one to ten words; a loop for each number, so that none of them asks for it. */
    private static void appendWords(
            byte[] source, long[] spans, int words, int rows, long out, int[] ends) {
        switch (words) {
            case 0, 1 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy1(source, spans[r], out, ends[r]);
                }
            }
            case 2 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy2(source, spans[r], out, ends[r]);
                }
            }
            case 3 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy3(source, spans[r], out, ends[r]);
                }
            }
            case 4 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy4(source, spans[r], out, ends[r]);
                }
            }
            case 5 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy5(source, spans[r], out, ends[r]);
                }
            }
            case 6 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy6(source, spans[r], out, ends[r]);
                }
            }
            case 7 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy7(source, spans[r], out, ends[r]);
                }
            }
            case 8 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy8(source, spans[r], out, ends[r]);
                }
            }
            case 9 -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy9(source, spans[r], out, ends[r]);
                }
            }
            default -> {
                for (int r = 0; r < rows; r++) {
                    ends[r] = copy10(source, spans[r], out, ends[r]);
                }
            }
        }
    }

    private static int copy1(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span), out, at);
        return at + Spans.length(span);
    }

    private static int copy2(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 8, out, at + 8);
        return copy1(source, span, out, at);
    }

    private static int copy3(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 16, out, at + 16);
        return copy2(source, span, out, at);
    }

    private static int copy4(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 24, out, at + 24);
        return copy3(source, span, out, at);
    }

    private static int copy5(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 32, out, at + 32);
        return copy4(source, span, out, at);
    }

    private static int copy6(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 40, out, at + 40);
        return copy5(source, span, out, at);
    }

    private static int copy7(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 48, out, at + 48);
        return copy6(source, span, out, at);
    }

    private static int copy8(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 56, out, at + 56);
        return copy7(source, span, out, at);
    }

    private static int copy9(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 64, out, at + 64);
        return copy8(source, span, out, at);
    }

    private static int copy10(byte[] source, long span, long out, int at) {
        copyWord(source, Spans.start(span) + 72, out, at + 72);
        return copy9(source, span, out, at);
    }

    /**
     * Appends the same text to each row, and behind it a text of the row's own.
     *
     * @param room bytes that each row has at least from its own text's beginning on
     */
    static void appendKeyed(
            byte[] key,
            int keyLength,
            byte[] source,
            long[] spans,
            int longest,
            int rows,
            long out,
            int[] ends,
            int room) {
        int keyWords = words(keyLength);
        int words = words(longest);
        if (keyWords > MOST_KEYED_WORDS
                || words > MOST_KEYED_WORDS
                || Math.max(words, 1) * Long.BYTES > room) {
            for (int r = 0; r < rows; r++) {
                int end = exact(key, 0, keyLength, out, ends[r]);
                ends[r] = exact(source, Spans.start(spans[r]), Spans.length(spans[r]), out, end);
            }
            return;
        }
        for (int r = 0; r < rows; r++) {
            long span = spans[r];
            int end = ends[r];
            copyWords(key, 0, keyWords, out, end);
            copyWords(source, Spans.start(span), words, out, end + keyLength);
            ends[r] = end + keyLength + Spans.length(span);
        }
    }

    private static int words(int length) {
        return (length + Long.BYTES - 1) / Long.BYTES;
    }

    /** One to five words; written out, since the number is the same in all turns of a loop. */
    private static void copyWords(byte[] source, int from, int words, long out, int at) {
        copyWord(source, from, out, at);
        if (words > 1) {
            copyWord(source, from + 8, out, at + 8);
        }
        if (words > 2) {
            copyWord(source, from + 16, out, at + 16);
        }
        if (words > 3) {
            copyWord(source, from + 24, out, at + 24);
        }
        if (words > 4) {
            copyWord(source, from + 32, out, at + 32);
        }
    }

    private static int exact(byte[] source, int from, int length, long out, int at) {
        if (length > LONG_TEXT) {
            OffHeap.write(source, from, out + at, length);
        } else if (length >= Long.BYTES) {
            for (int k = 0; k < length - Long.BYTES; k += Long.BYTES) {
                copyWord(source, from + k, out, at + k);
            }
            copyWord(source, from + length - Long.BYTES, out, at + length - Long.BYTES);
        } else {
            for (int k = 0; k < length; k++) {
                OffHeap.putByte(out + at + k, source[from + k]);
            }
        }
        return at + length;
    }

    private static void copyWord(byte[] source, int from, long out, int at) {
        OffHeap.putLong(out + at, (long) Words.LONG.get(source, from));
    }
}
