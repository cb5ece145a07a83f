/**
 * What formats of text have in common: the survey that reads a file once when it is pinned, cuts it
 * into partitions and infers its columns, and the stream that reads rows of a partition later.
 * Formats themselves are a {@link TextSyntax} each.
 */
@NullMarked
package io.spillway.scan.text;

import org.jspecify.annotations.NullMarked;
