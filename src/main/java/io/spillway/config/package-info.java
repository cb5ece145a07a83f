/** Wiring: configuration classes and validated settings. */
@NullMarked
package io.spillway.config;

import org.jspecify.annotations.NullMarked;
