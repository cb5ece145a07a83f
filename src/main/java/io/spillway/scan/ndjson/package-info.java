/** NDJSON: one JSON object a line, as a format of text. */
@NullMarked
package io.spillway.scan.ndjson;

import org.jspecify.annotations.NullMarked;
