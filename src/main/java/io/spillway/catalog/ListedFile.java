package io.spillway.catalog;

import io.spillway.storage.FileStatus;

/**
 * A file that was found.
 *
 * @param named what the source names, which the file is or matches or stands in
 */
record ListedFile(FileStatus status, Location named) {}
