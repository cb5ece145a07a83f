/** Signed cursors. */
@NullMarked
package io.spillway.cursor;

import org.jspecify.annotations.NullMarked;
