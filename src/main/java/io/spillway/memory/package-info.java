/** The memory budget: what is held, and who may start to hold. Knows only {@code error}. */
@NullMarked
package io.spillway.memory;

import org.jspecify.annotations.NullMarked;
