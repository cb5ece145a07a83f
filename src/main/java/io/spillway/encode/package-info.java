/** Batches to bytes, a column at a time: JSON, CSV, server-sent events and Arrow streams. */
@NullMarked
package io.spillway.encode;

import org.jspecify.annotations.NullMarked;
