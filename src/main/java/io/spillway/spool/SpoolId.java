package io.spillway.spool;

/**
 * Names a spool.
 *
 * @param job whose it is; of letters, digits, '-' and '_'
 * @param number of the spool among those of the job
 */
public record SpoolId(String job, int number) {}
