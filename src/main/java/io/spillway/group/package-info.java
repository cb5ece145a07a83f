/**
 * Consumer groups: readers that share a job's batches through leases. A {@link
 * io.spillway.group.GroupStore} decides every race; batches are cut one behind the other, by
 * whoever claims, and handed out until somebody commits them.
 *
 * <pre>
 *              claim                      commit
 *   not cut ──────────▶ leased, epoch 1 ──────────▶ committed
 *                        │     ▲     ▲
 *       given back, or   ▼     │     │ epoch + 1
 *       its time is over free ─┘ claim
 * </pre>
 */
@NullMarked
package io.spillway.group;

import org.jspecify.annotations.NullMarked;
