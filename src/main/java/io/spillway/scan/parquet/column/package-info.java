/** Columns as Arrow vectors, flat and nested. */
@NullMarked
package io.spillway.scan.parquet.column;

import org.jspecify.annotations.NullMarked;
