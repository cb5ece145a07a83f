/** Values of a row that are computed from the rows around it. */
@NullMarked
package io.spillway.operator.window;

import org.jspecify.annotations.NullMarked;
