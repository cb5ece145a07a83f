/**
 * Files that stay as they were pinned, and Arrow buffers: what readers of all formats work with.
 */
@NullMarked
package io.spillway.scan.bytes;

import org.jspecify.annotations.NullMarked;
