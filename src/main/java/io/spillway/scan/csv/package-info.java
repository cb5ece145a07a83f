/** CSV: RFC 4180 and its dialects, as a format of text. */
@NullMarked
package io.spillway.scan.csv;

import org.jspecify.annotations.NullMarked;
