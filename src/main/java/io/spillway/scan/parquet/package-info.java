/**
 * The Parquet format, in the order in which a file is read:
 *
 * <pre>
 *   bytes ─▶ footer ─▶ index, pruning ─▶ page (codec) ─▶ value ─▶ column ─▶ RowGroupReader ─▶ batches
 * </pre>
 *
 * Footers, indexes and page headers are read by parquet-java; pages become Arrow vectors by a
 * decoder of our own. The packages below this one are its parts, and nobody else's business.
 */
@NullMarked
package io.spillway.scan.parquet;

import org.jspecify.annotations.NullMarked;
