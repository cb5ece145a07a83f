package io.spillway.expression;

import io.spillway.batch.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether to compute an expression for the entries of a dictionary rather than for rows. It
 * pays once as many rows have come by as the dictionary has entries: at once for small
 * dictionaries, later for large ones that many batches share, never for those met only once.
 */
final class DictionaryUse {

    private @Nullable Dictionary current;
    private long rows;
    private boolean failed;

    /** Notes that a batch came by; true if it is of the same dictionary as the last one. */
    boolean meet(Dictionary dictionary, int batchRows) {
        boolean same = isCurrent(dictionary);
        if (!same) {
            current = dictionary;
            rows = 0;
            failed = false;
        }
        rows += batchRows;
        return same;
    }

    @SuppressWarnings("ReferenceEquality") // a dictionary's identity is the object's
    private boolean isCurrent(Dictionary dictionary) {
        return current == dictionary;
    }

    boolean pays(Dictionary dictionary) {
        return !failed && rows >= dictionary.size();
    }

    /** Some entry raises an error, perhaps one that no row uses: this dictionary is left alone. */
    void fail() {
        failed = true;
    }

    void forget() {
        current = null;
        rows = 0;
        failed = false;
    }
}
