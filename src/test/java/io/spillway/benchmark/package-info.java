/** Spillway and DuckDB side by side, over the same files, in one run. */
@NullMarked
package io.spillway.benchmark;

import org.jspecify.annotations.NullMarked;
