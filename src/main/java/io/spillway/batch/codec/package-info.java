/** Compression of buffers from memory to memory, in the formats that Arrow names. */
@NullMarked
package io.spillway.batch.codec;

import org.jspecify.annotations.NullMarked;
