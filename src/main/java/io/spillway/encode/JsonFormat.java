package io.spillway.encode;

/**
 * Rows as JSON text (RFC 8259).
 *
 * @param layout what separates and encloses rows
 * @param arrays rows as arrays of values rather than as objects
 * @param stringNumbers 64-bit integers and decimals as strings, for readers whose numbers are
 *     doubles; else as exact JSON numbers
 * @param replaceInvalidText invalid UTF-8 becomes U+FFFD rather than an error
 */
public record JsonFormat(
        Layout layout, boolean arrays, boolean stringNumbers, boolean replaceInvalidText)
        implements RowFormat {

    /** What stands between rows. */
    public enum Layout {
        /** Each row is followed by a line feed. */
        LINES,
        /**
         * Each row is preceded by a comma; whoever assembles the array drops the very first one.
         */
        ARRAY_ELEMENTS
    }
}
