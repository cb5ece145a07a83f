package io.spillway.job;

import java.time.Duration;

/**
 * What jobs get unless they ask otherwise, and what they may ask for.
 *
 * @param ttl how long a job lives after its last use
 * @param maxTtl the longest life that may be asked for
 * @param maxOpen how many jobs may be open
 * @param retention how long the record of an ended job is kept, so that its readers learn what
 *     became of it
 * @param batchRows rows a batch
 * @param memoryPerJob bytes that a job's readers may hold together
 * @param stall how long a peer may take no byte before it is cut off
 * @param linger how long a count goes on after the last caller who waited for it has left
 * @param ticketLife how long a ticket is good
 */
public record JobSettings(
        Duration ttl,
        Duration maxTtl,
        int maxOpen,
        Duration retention,
        int batchRows,
        long memoryPerJob,
        Duration stall,
        Duration linger,
        Duration ticketLife) {}
