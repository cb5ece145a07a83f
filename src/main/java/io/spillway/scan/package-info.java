/** What a scan of any format looks like: tasks, and readers that turn them into batches. */
@NullMarked
package io.spillway.scan;

import org.jspecify.annotations.NullMarked;
