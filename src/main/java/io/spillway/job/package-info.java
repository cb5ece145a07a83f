/** Jobs: submission, life cycle, and the store that keeps them. */
@NullMarked
package io.spillway.job;

import org.jspecify.annotations.NullMarked;
