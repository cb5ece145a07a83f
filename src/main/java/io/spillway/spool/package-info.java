/**
 * Results that are computed once: written as immutable files by one builder, and read by row number
 * from then on, over restarts and by other replicas. Knows blocks, files, batches and memory, but
 * not what is computed, nor who reads.
 */
@NullMarked
package io.spillway.spool;

import org.jspecify.annotations.NullMarked;
