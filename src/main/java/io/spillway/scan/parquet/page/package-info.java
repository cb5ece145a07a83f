/** The pages of a column chunk, one after the other, decompressed. */
@NullMarked
package io.spillway.scan.parquet.page;

import org.jspecify.annotations.NullMarked;
