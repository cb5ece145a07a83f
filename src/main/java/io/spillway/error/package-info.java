/** The one exception type of Spillway and its stable codes. Knows no other package. */
@NullMarked
package io.spillway.error;

import org.jspecify.annotations.NullMarked;
