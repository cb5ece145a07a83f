/**
 * Columns out of the responses to a delivery: found by path, joined to the rows that were sent by
 * position, kept in parts until the delivery has ended, and written as one data set then.
 */
@NullMarked
package io.spillway.delivery.capture;

import org.jspecify.annotations.NullMarked;
