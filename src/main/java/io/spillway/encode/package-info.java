/** Batches to bytes: JSON pages and NDJSON, a column at a time. */
@NullMarked
package io.spillway.encode;

import org.jspecify.annotations.NullMarked;
