/** Values of pages, by encoding and type, into Arrow's buffers. */
@NullMarked
package io.spillway.scan.parquet.value;

import org.jspecify.annotations.NullMarked;
