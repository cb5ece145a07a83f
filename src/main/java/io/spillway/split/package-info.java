/**
 * Jobs taken apart for many readers: which part each of them gets, found out without reading
 * anything.
 */
@NullMarked
package io.spillway.split;

import org.jspecify.annotations.NullMarked;
