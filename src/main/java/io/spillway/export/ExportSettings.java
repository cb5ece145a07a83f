package io.spillway.export;

import java.time.Duration;

/**
 * How many exports there may be.
 *
 * @param running exports that are written at once, by this process
 * @param maxOpen exports that wait or are written, by all replicas together
 * @param lease how long a process that has died holds up an export that it wrote
 * @param rowGroupBytes memory that a row group takes at most
 */
public record ExportSettings(int running, int maxOpen, Duration lease, long rowGroupBytes) {}
