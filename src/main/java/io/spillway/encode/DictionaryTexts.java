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

    /** With slack. */
    private final byte[] key;

    private final int keyLength;
    private final ValueText format;

    /** By entry, from 1 on; 0 is null. */
    private final TextTable texts;

    private @Nullable Dictionary dictionary;
    private boolean kept;

    DictionaryTexts(byte[] key, ValueText format, TextBudget budget) {
        this.key = Arrays.copyOf(key, key.length + TextBuffer.SLACK);
        keyLength = key.length;
        this.format = format;
        texts = new TextTable(budget, MOST_BYTES);
    }

    /** What the spans that {@link #resolve} and {@link #span} gave point into. */
    byte[] bytes() {
        return texts.bytes();
    }

    /**
     * The place of an entry's text; 0 if it has not been made.
     *
     * @param index 0 for null, else one more than the entry's index
     */
    long span(Dictionary of, int index) {
        return of == dictionary && kept ? texts.span(index) : 0;
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
            kept = texts.begin(of.size() + 1);
        }
        if (kept && !texts.find(scratch.indices, count, result)) {
            // If an entry has no text, what was begun is not to be used again.
            dictionary = null;
            kept = make(of.values(), count, row, scratch);
            if (kept) {
                texts.find(scratch.indices, count, result);
            } else {
                texts.drop();
            }
        }
        dictionary = of;
        return kept;
    }

    private boolean make(FieldVector entries, int count, int row, Scratch scratch) {
        int i = 0;
        while (i < count) {
            int n = 0;
            long bytes = 0;
            for (; i < count; i++) {
                int index = scratch.indices[i];
                if (texts.span(index) != 0) {
                    continue;
                }
                long length = index == 0 ? 0 : ValueBlock.wideBytes(entries, index - 1, 1);
                if (length > LONGEST_ENTRY) {
                    return false;
                }
                bytes += length;
                if (bytes > TextRows.BLOCK_BYTES) {
                    break;
                }
                texts.announce(index);
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
            int index = scratch.indices[scratch.positions[i]];
            if (!texts.open(index, keyLength + Spans.length(span))) {
                return false;
            }
            texts.append(key, 0, keyLength);
            texts.append(scratch.texts.bytes, Spans.start(span), Spans.length(span));
        }
        return true;
    }
}
