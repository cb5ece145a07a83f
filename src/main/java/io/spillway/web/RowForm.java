package io.spillway.web;

import io.spillway.encode.ArrowFormat;
import io.spillway.encode.CsvFormat;
import io.spillway.encode.JsonFormat;
import java.util.Set;

/**
 * How values are written.
 *
 * @param arrays rows as arrays of values rather than as objects
 * @param stringNumbers 64-bit integers and decimals as strings
 * @param replaceInvalidText invalid UTF-8 becomes U+FFFD rather than an error
 */
record RowForm(boolean arrays, boolean stringNumbers, boolean replaceInvalidText) {

    /** The parameters that tell it. */
    static final Set<String> PARAMETERS = Set.of("rows", "numbers", "invalidText");

    static RowForm of(Parameters parameters) {
        return new RowForm(
                parameters.choice("rows", "objects", "arrays").equals("arrays"),
                parameters.choice("numbers", "plain", "strings").equals("strings"),
                parameters.choice("invalidText", "error", "replace").equals("replace"));
    }

    JsonFormat json(JsonFormat.Layout layout) {
        return new JsonFormat(layout, arrays, stringNumbers, replaceInvalidText);
    }

    CsvFormat csv() {
        return new CsvFormat(replaceInvalidText);
    }

    ArrowFormat arrow() {
        return new ArrowFormat(replaceInvalidText);
    }

    /** The parameters that say all this, each with a leading ampersand. */
    String query() {
        return (arrays ? "&rows=arrays" : "")
                + (stringNumbers ? "&numbers=strings" : "")
                + (replaceInvalidText ? "&invalidText=replace" : "");
    }
}
