/**
 * External merge sort, stable.
 *
 * <pre>
 *   input ──▶ raw chunk ──▶ sorted chunk ──────────────▶ merge ──▶ output
 *              (batches)     (sorted batches)              ▲ ▲
 *                                 │ no more memory         │ │
 *                                 └──────▶ merge ──▶ run ──┘ └── merge of runs, as long as
 *                                                 (spilled)      there are too many
 * </pre>
 *
 * Everything between the arrows is a task of its own; chunks and runs stand in the order of the
 * input, and only neighbours are merged, so that rows with equal keys keep their order whatever is
 * spilled when. All that is sorted, in memory or on disk, is a sequence of batches that is read
 * once from its beginning: merging does not know where they come from.
 */
@NullMarked
package io.spillway.operator.sort;

import org.jspecify.annotations.NullMarked;
