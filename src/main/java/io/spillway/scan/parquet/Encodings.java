package io.spillway.scan.parquet;

import org.apache.parquet.format.Encoding;

/** What encodings mean. */
final class Encodings {

    private Encodings() {}

    /** Whether values are indices into the chunk's dictionary. */
    static boolean isDictionary(Encoding encoding) {
        return encoding == Encoding.RLE_DICTIONARY || encoding == Encoding.PLAIN_DICTIONARY;
    }
}
