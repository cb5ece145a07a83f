/** Where a read goes on, as text: signed cursors, and the ids of events. */
@NullMarked
package io.spillway.cursor;

import org.jspecify.annotations.NullMarked;
