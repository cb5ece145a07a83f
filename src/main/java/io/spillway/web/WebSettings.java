package io.spillway.web;

import java.time.Duration;

/**
 * Limits of the HTTP interface.
 *
 * @param pageRows rows of a page unless asked otherwise
 * @param maxPageRows the most rows of a page that may be asked for
 * @param maxPageBytes the most bytes that the rows of a page may take
 * @param maxBatchRows the most rows of an exact batch
 * @param maxBodyBytes the most bytes of a request body
 * @param usualWait how long a call waits for what takes long to be made, unless asked otherwise
 * @param maxWait the longest that a call may ask to wait
 */
public record WebSettings(
        int pageRows,
        int maxPageRows,
        long maxPageBytes,
        int maxBatchRows,
        int maxBodyBytes,
        Duration usualWait,
        Duration maxWait) {}
