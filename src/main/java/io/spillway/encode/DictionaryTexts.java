package io.spillway.encode;

import io.spillway.batch.Dictionary;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * The texts of one dictionary's entries, each with the column's key in front of it, so that a row
 * needs only a copy. A text is made when its entry is first met: a page of a few rows never pays
 * for a large dictionary. Kept until another dictionary comes, told apart by identity.
 *
 * <p>Bounded: where entries are long, or all texts together would be more than the budget allows,
 * it keeps nothing for that dictionary, and the caller writes value by value.
 */
final class DictionaryTexts {

    /** An entry of more bytes is not kept: for long texts, a copy is no cheaper than writing. */
    private static final int LONGEST_ENTRY = 4 << 10;

    /** What one column may take of the budget. */
    private static final long MOST_BYTES = 2L << 20;

    /** In place of a span whose text is under way. */
    private static final long UNDER_WAY = -1;

    private final byte[] key;
    private final ValueText format;
    private final TextBudget budget;

    private @Nullable Dictionary dictionary;
    private boolean kept;
    private TextBuffer texts = new TextBuffer(0);

    /** By entry, from 1 on; 0 is null. A span of 0 has not been made. */
    private long[] spans = new long[0];

    private long held;

    DictionaryTexts(byte[] key, ValueText format, TextBudget budget) {
        this.key = key;
        this.format = format;
        this.budget = budget;
    }

    /** Where the spans that {@link #resolve} gave point into. */
    byte[] bytes() {
        return texts.bytes;
    }

    /**
     * Finds the texts of entries, and makes those that are missing.
     *
     * @param count how many of the scratch's indices to resolve
     * @param row the row of the batch that the first index belongs to
     * @param result filled with the places of the texts
     * @return false if the texts of this dictionary are not kept
     * @throws io.spillway.error.SpillwayException for an entry that has no text
     */
    boolean resolve(Dictionary of, int count, int row, Scratch scratch, long[] result) {
        if (of != dictionary) {
            kept = begin(of);
        }
        if (kept && !find(scratch.indices, count, result)) {
            // If an entry has no text, what was begun is not to be used again.
            dictionary = null;
            kept = make(of.values(), count, row, scratch);
            if (kept) {
                find(scratch.indices, count, result);
            } else {
                drop();
            }
        }
        dictionary = of;
        return kept;
    }

    private boolean find(int[] indices, int count, long[] result) {
        long[] made = spans;
        boolean all = true;
        for (int i = 0; i < count; i++) {
            long span = made[indices[i]];
            result[i] = span;
            all &= span != 0;
        }
        return all;
    }

    private boolean begin(Dictionary of) {
        int n = of.size() + 1;
        texts.end = 0;
        if (n <= spans.length) {
            Arrays.fill(spans, 0, n, 0);
            return true;
        }
        if (!take((long) (n - spans.length) * Long.BYTES)) {
            drop();
            return false;
        }
        spans = new long[n];
        return true;
    }

    private boolean make(FieldVector entries, int count, int row, Scratch scratch) {
        int i = 0;
        while (i < count) {
            int n = 0;
            long bytes = 0;
            for (; i < count; i++) {
                int index = scratch.indices[i];
                if (spans[index] != 0) {
                    continue;
                }
                long length = index == 0 ? 0 : ValueBlock.wideBytes(entries, index - 1, 1);
                if (length > LONGEST_ENTRY) {
                    return false;
                }
                bytes += length;
                if (bytes > JsonRowEncoder.BLOCK_BYTES) {
                    break;
                }
                spans[index] = UNDER_WAY;
                scratch.positions[n++] = i;
            }
            if (n > 0 && !makeBlock(entries, n, row, scratch)) {
                return false;
            }
        }
        return true;
    }

    private boolean makeBlock(FieldVector entries, int count, int row, Scratch scratch) {
        scratch.values.gather(entries, scratch.indices, scratch.positions, count, row);
        Literals.clear(scratch.texts);
        format.write(scratch.values, scratch.texts, scratch.spans);
        for (int i = 0; i < count; i++) {
            long span = scratch.spans[i];
            int start = texts.end;
            if (!reserve(key.length + Spans.length(span))) {
                return false;
            }
            texts.append(key);
            texts.append(scratch.texts.bytes, Spans.start(span), Spans.length(span));
            spans[scratch.indices[scratch.positions[i]]] = Spans.of(start, texts.end);
        }
        return true;
    }

    private boolean reserve(int more) {
        int capacity = texts.capacity();
        if (texts.end + more <= capacity) {
            return true;
        }
        int grown = Math.max(texts.end + more, Math.max(1 << 10, 2 * capacity));
        if (!take(grown - capacity)) {
            return false;
        }
        texts.reserve(grown - texts.end);
        return true;
    }

    private boolean take(long bytes) {
        if (held + bytes > MOST_BYTES || !budget.take(bytes)) {
            return false;
        }
        held += bytes;
        return true;
    }

    private void drop() {
        budget.giveBack(held);
        held = 0;
        texts = new TextBuffer(0);
        spans = new long[0];
    }
}
