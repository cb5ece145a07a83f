/**
 * One attempt to hand a batch to an endpoint of somebody else, and what follows from it:
 *
 * <pre>
 *   Endpoint + Post ─▶ Sender ─▶ Answer ─▶ Outcome ─▶ RetrySchedule
 *                        │
 *                        ├─ TargetRules   where requests may go, asked of every address connected to
 *                        ├─ Secrets       values that requests name and nobody stores
 *                        └─ Authentication
 *   Breakers, Pace: whether and when the next attempt may start
 * </pre>
 *
 * <p>Endpoints are hostile until they prove otherwise: each has its own bounded connections, every
 * exchange one time limit over all of it, and of every answer a bounded number of bytes is read.
 */
@NullMarked
package io.spillway.delivery.http;

import org.jspecify.annotations.NullMarked;
