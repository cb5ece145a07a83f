/** Rows by number: row sources, the row index, exact offsets. */
@NullMarked
package io.spillway.rows;

import org.jspecify.annotations.NullMarked;
