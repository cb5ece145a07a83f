/** Decompressors, one a codec. */
@NullMarked
package io.spillway.scan.parquet.codec;

import org.jspecify.annotations.NullMarked;
