/** Vector operators, one a file, over batch streams. */
@NullMarked
package io.spillway.operator;

import org.jspecify.annotations.NullMarked;
