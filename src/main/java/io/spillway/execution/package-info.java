/** The partition scheduler, bounded exchanges and ordered reassembly. */
@NullMarked
package io.spillway.execution;

import org.jspecify.annotations.NullMarked;
