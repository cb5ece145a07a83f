/**
 * Rows of jobs, sent to other services in batches:
 *
 * <pre>
 *   request ─▶ Delivery, stored ─▶ held by a process ─▶ batch ─▶ body ─▶ request ─▶ answer ─▶ recorded
 *                                        ▲                ▲                            │
 *                                        │                └── again later: waiting ◀───┤
 *                                        └── lost, or given back at a stop             ▼
 *                                                                        delivered, or a dead letter
 * </pre>
 *
 * A batch is sent at least once: again only if the process that sent it ended, or lost the
 * delivery, before its answer was recorded. Its id, and its body to the byte, are the same each
 * time.
 */
@NullMarked
package io.spillway.delivery;

import org.jspecify.annotations.NullMarked;
