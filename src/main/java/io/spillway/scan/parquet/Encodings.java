package io.spillway.scan.parquet;

import org.apache.parquet.format.Encoding;

/** Which encodings can be read. */
final class Encodings {

    private Encodings() {}

    /** Whether values are indices into the chunk's dictionary. */
    static boolean isDictionary(Encoding encoding) {
        return encoding == Encoding.RLE_DICTIONARY || encoding == Encoding.PLAIN_DICTIONARY;
    }

    /**
     * Whether a chunk that names this encoding may still be readable: the list mixes the encodings
     * of values and of levels.
     */
    static boolean mayBeReadable(Encoding encoding) {
        return switch (encoding) {
            case PLAIN, RLE_DICTIONARY, PLAIN_DICTIONARY, RLE, BIT_PACKED -> true;
            default -> false;
        };
    }
}
