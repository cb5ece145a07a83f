package io.spillway.scan.arrow;

import io.spillway.batch.Dictionary;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a dictionary, as values that are never null, and which of them are null all the
 * same. Owns a reference to both.
 *
 * @param validity a bitmap, or null if no entry is null
 */
record DictionaryEntries(Dictionary dictionary, @Nullable ArrowBuf validity)
        implements AutoCloseable {

    /** The same, with references of its own. */
    DictionaryEntries retain() {
        dictionary.retain();
        if (validity != null) {
            validity.getReferenceManager().retain();
        }
        return this;
    }

    @Override
    public void close() {
        dictionary.release();
        if (validity != null) {
            validity.close();
        }
    }
}
