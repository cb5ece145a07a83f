package io.spillway.cursor;

import java.time.Instant;

/**
 * Lets its holder read the streams of one job in the name of its owner, for a while.
 *
 * @param jobId the job's public identifier
 * @param owner the caller whose job it is
 * @param expiresAt when it is no good any more, to the millisecond
 */
public record Ticket(String jobId, String owner, Instant expiresAt) {}
