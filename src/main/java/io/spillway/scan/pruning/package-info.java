/**
 * What a condition can be over rows of which only little is known, such as their least and greatest
 * values: whatever it cannot be true for need not be read. Knows no file format.
 */
@NullMarked
package io.spillway.scan.pruning;

import org.jspecify.annotations.NullMarked;
