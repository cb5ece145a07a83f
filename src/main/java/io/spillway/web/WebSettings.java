package io.spillway.web;

/**
 * Limits of the HTTP interface.
 *
 * @param pageRows rows of a page unless asked otherwise
 * @param maxPageRows the most rows of a page that may be asked for
 * @param maxPageBytes the most bytes that the rows of a page may take
 * @param maxBodyBytes the most bytes of a request body
 */
public record WebSettings(int pageRows, int maxPageRows, long maxPageBytes, int maxBodyBytes) {}
