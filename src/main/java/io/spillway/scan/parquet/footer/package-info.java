/**
 * What a file says of itself: its columns, their types and levels, its row groups and their
 * statistics.
 */
@NullMarked
package io.spillway.scan.parquet.footer;

import org.jspecify.annotations.NullMarked;
