package io.spillway.encode;

import org.jspecify.annotations.Nullable;

/**
 * Rows as an Arrow IPC stream ("IPC Streaming Format" of the Arrow columnar format, metadata
 * version 5, no compression): a schema message, which is the same at every offset; record batches;
 * and the end-of-stream marker once all rows have been written. There are no dictionaries. Values
 * are bits as they are: NaN keeps its payload, and no time is checked.
 *
 * <p>Exact batches are a message each, however large, with custom metadata: {@code spillway.batch}
 * and {@code spillway.first-row}, where batches have numbers; {@code spillway.short-reason} of one
 * that is shorter than others; {@code spillway.repeats}, the number of rows that are there for
 * another time. Else there is no custom metadata, and where messages begin has no meaning.
 *
 * @param replaceInvalidText invalid UTF-8 becomes U+FFFD rather than an error; keys of maps are an
 *     error all the same
 * @param batches what exact batches say of themselves; null for rows that are in none
 */
public record ArrowFormat(boolean replaceInvalidText, @Nullable BatchNames batches)
        implements RowFormat {

    /** Rows that are in no exact batches. */
    public ArrowFormat(boolean replaceInvalidText) {
        this(replaceInvalidText, null);
    }

    /** The same for exact batches. */
    public ArrowFormat inBatches(BatchNames names) {
        return new ArrowFormat(replaceInvalidText, names);
    }
}
