package io.spillway.scan.parquet.footer;

import org.apache.parquet.format.Encoding;

/** What encodings mean. */
public final class Encodings {

    private Encodings() {}

    /** Whether values are indices into the chunk's dictionary. */
    public static boolean isDictionary(Encoding encoding) {
        return encoding == Encoding.RLE_DICTIONARY || encoding == Encoding.PLAIN_DICTIONARY;
    }
}
