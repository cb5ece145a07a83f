package io.spillway.spool;

/**
 * The right to build a spool, for a while. Whoever takes it next has a higher epoch, and what is
 * done with a lower one has no effect any more.
 *
 * @param epoch counts the builders of this spool, from 1 on
 */
public record SpoolLease(SpoolId id, long epoch) {}
