/** Rows spread over files on disk by the hash of their keys, and such files read back. */
@NullMarked
package io.spillway.operator.partition;

import org.jspecify.annotations.NullMarked;
