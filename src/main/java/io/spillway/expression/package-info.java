/** Resolved scalar expressions and their compilation to vector kernels. */
@NullMarked
package io.spillway.expression;

import org.jspecify.annotations.NullMarked;
