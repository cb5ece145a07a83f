/** The 22 queries of TPC-H: their data, their texts, and what DuckDB makes of the same. */
@NullMarked
package io.spillway.tpch;

import org.jspecify.annotations.NullMarked;
