/** What a filter leaves out of a file. */
@NullMarked
package io.spillway.scan.parquet.pruning;

import org.jspecify.annotations.NullMarked;
