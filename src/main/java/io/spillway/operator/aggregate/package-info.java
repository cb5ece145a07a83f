/** Groups of rows, and what is computed of each. */
@NullMarked
package io.spillway.operator.aggregate;

import org.jspecify.annotations.NullMarked;
