/** Record batches over Arrow vectors, their schema, and the pull interface they travel by. */
@NullMarked
package io.spillway.batch;

import org.jspecify.annotations.NullMarked;
