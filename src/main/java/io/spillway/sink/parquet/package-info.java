/**
 * Batches written as Parquet files, by parquet-java's column writers:
 *
 * <pre>
 *   batch ─▶ columns ─▶ levels (rows become entries) ─▶ column writers ─▶ pages, compressed ─▶ file
 * </pre>
 *
 * {@link io.spillway.sink.parquet.ParquetSink} is what others see.
 */
@NullMarked
package io.spillway.sink.parquet;

import org.jspecify.annotations.NullMarked;
