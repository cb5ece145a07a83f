/** Bytes of files as they are read, and in memory; places that errors name. */
@NullMarked
package io.spillway.scan.parquet.bytes;

import org.jspecify.annotations.NullMarked;
