/** Keys of rows: what makes two rows equal, and what puts one before another. */
@NullMarked
package io.spillway.operator.key;

import org.jspecify.annotations.NullMarked;
