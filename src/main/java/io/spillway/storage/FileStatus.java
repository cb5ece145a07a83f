package io.spillway.storage;

import org.jspecify.annotations.Nullable;

/**
 * What identifies one state of a file: a reader that finds any of it changed must not hand out
 * rows.
 *
 * @param uri absolute, normalised, with scheme
 * @param size bytes
 * @param modifiedMillis modification time, milliseconds since the epoch
 * @param identity what tells two files at one path apart (an inode, an etag), if the file system
 *     has it
 */
public record FileStatus(String uri, long size, long modifiedMillis, @Nullable String identity) {}
