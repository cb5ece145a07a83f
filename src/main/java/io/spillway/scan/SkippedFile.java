package io.spillway.scan;

/**
 * A file that was found but left out because it is corrupt, as its source's options ask for.
 *
 * @param file its URI
 * @param reason a sentence for people
 */
public record SkippedFile(String file, String reason) {}
