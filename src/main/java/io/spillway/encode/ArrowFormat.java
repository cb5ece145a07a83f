package io.spillway.encode;

/**
 * Rows as an Arrow IPC stream ("IPC Streaming Format" of the Arrow columnar format, metadata
 * version 5, no compression): a schema message, which is the same at every offset; record batches;
 * and the end-of-stream marker once all rows have been written. There are no dictionaries and no
 * custom metadata. Values are bits as they are: NaN keeps its payload, and no time is checked.
 *
 * @param replaceInvalidText invalid UTF-8 becomes U+FFFD rather than an error; keys of maps are an
 *     error all the same
 */
public record ArrowFormat(boolean replaceInvalidText) implements RowFormat {}
