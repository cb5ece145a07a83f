/**
 * Rows of jobs, written as Parquet files elsewhere:
 *
 * <pre>
 *   request ─▶ Export, stored ─▶ claimed under a lease ─▶ job's batches ─▶ Parquet ─▶ files, hidden
 *                                       ▲                                              │
 *                                       └── lost, or given back at a stop              ▼ whole
 *                                                                             files, visible at once
 * </pre>
 */
@NullMarked
package io.spillway.export;

import org.jspecify.annotations.NullMarked;
