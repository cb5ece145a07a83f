package io.spillway.batch;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.vector.FieldVector;

/**
 * The distinct values that the indices of {@link ColumnVector.Encoded} point into; shared by many
 * batches and counted. Made with one reference, its maker's. Entries are never null, need not be
 * distinct or sorted, and never change. Identity is by object, so that whoever derives something
 * from the entries (formatted text, a filter's verdicts) can keep it for as long as it meets the
 * same dictionary.
 */
public final class Dictionary {

    private final FieldVector values;
    private final AtomicInteger references = new AtomicInteger(1);

    /** Takes over {@code values}, in plain form. */
    public Dictionary(FieldVector values) {
        this.values = values;
    }

    /** The entries; valid while the caller holds a reference. */
    public FieldVector values() {
        return values;
    }

    public int size() {
        return values.getValueCount();
    }

    public Dictionary retain() {
        if (references.getAndIncrement() <= 0) {
            throw new IllegalStateException("dictionary is closed");
        }
        return this;
    }

    /** Gives a reference back; the last one frees the entries. */
    public void release() {
        int left = references.decrementAndGet();
        if (left == 0) {
            values.close();
        } else if (left < 0) {
            throw new IllegalStateException("dictionary released too often");
        }
    }
}
