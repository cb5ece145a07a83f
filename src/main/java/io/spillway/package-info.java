/** Spillway: rows out of big data, lazily, exactly, forever resumable. */
@NullMarked
package io.spillway;

import org.jspecify.annotations.NullMarked;
