/** Page indexes, Bloom filters, and the rows and pages that they leave. */
@NullMarked
package io.spillway.scan.parquet.index;

import org.jspecify.annotations.NullMarked;
