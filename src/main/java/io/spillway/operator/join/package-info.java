/** Rows of two inputs that belong together. */
@NullMarked
package io.spillway.operator.join;

import org.jspecify.annotations.NullMarked;
